import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** Why nginx cannot be used here; undefined where it can. */
export const noNginx: string | undefined =
  spawnSync('nginx', ['-v']).status === 0 ? undefined : 'nginx is not installed here'

export type Nginx = { readonly url: string; readonly stop: () => Promise<void> }

/** nginx as its package installs it, with `proxy_pass` to a server and not one setting more. */
export async function startNginx(target: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(
    file,
    // The paths only keep the process inside its own folder.
    `pid ${folder}/pid;
     daemon off;
     error_log ${folder}/error.log;
     events {}
     http {
       access_log off;
       client_body_temp_path ${folder}/body;
       proxy_temp_path ${folder}/proxy;
       fastcgi_temp_path ${folder}/fastcgi;
       uwsgi_temp_path ${folder}/uwsgi;
       scgi_temp_path ${folder}/scgi;
       server { listen 127.0.0.1:${port}; location / { proxy_pass ${target}; } }
     }`,
  )
  const child = spawn('nginx', ['-c', file, '-e', join(folder, 'error.log')], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  await answering(port)
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (isOpen) return
    await new Promise((resolve) => {
      setTimeout(resolve, 50)
    })
  }
  throw new Error('nginx does not listen.')
}
