/**
 * The steps of the Dockerfile without Docker: each instruction is done in a folder that lies over this machine's own
 * file system, as layers of an image lie over their base. The result is started as its user, without privileges, on a
 * read-only root, and has to pass the image's own health check and to stop when it is told to.
 *
 *     node scripts/image.ts                     all steps; npm downloads the dependencies
 *     node scripts/image.ts --tarball file.tgz  from the second stage on, with a package that is packed already
 *
 * Needs root and overlay mounts, in a mount namespace of its own. What it cannot show: that the base image is as this
 * machine (its Node is the one that runs this, its npm and its libraries are this machine's). Ends with 1 where a step
 * fails.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { freePort } from '../test/harness/free-port.ts'

const { values: flags } = parseArgs({ options: { tarball: { type: 'string' } } })
const root = fileURLToPath(new URL('../', import.meta.url))
const docker = join(root, 'deploy/docker')

type Instruction = { readonly name: string; readonly rest: string }

/** The instructions of each stage; a line that ends in a backslash goes on. */
function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
  const stages: Instruction[][] = []
  for (const line of lines) {
    const [, name = '', rest = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push([])
    if (name !== '') stages.at(-1)?.push({ name, rest })
  }
  return stages
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/** What an image would remember of a stage, and the commands that make its files. */
function plan(stage: readonly Instruction[], name: string) {
  const env = new Map<string, string>([['PATH', usualPath]])
  const commands = [`stage ${name}`]
  let folder = '/'
  let user = 'root'
  let health: readonly string[] = []
  let entry: readonly string[] = []
  let command: readonly string[] = []
  const inside = (text: string): string => {
    const given = [...env].map(([key, value]) => quoted(`${key}=${value}`)).join(' ')
    return `chroot "$T/${name}/root" /usr/bin/env -i HOME=/root npm_config_prefer_offline=true ${given} /bin/sh -ec ${quoted(`cd ${folder}; ${text}`)}`
  }
  for (const { name: what, rest } of stage) {
    switch (what) {
      case 'FROM':
      case 'EXPOSE':
      case 'VOLUME':
      case 'STOPSIGNAL':
        break
      case 'WORKDIR':
        folder = rest
        commands.push(`mkdir -p "$T/${name}/root${rest}"`)
        break
      case 'ENV':
        for (const [, key = '', value = ''] of rest.matchAll(/(\w+)=(\S+)/g)) env.set(key, value)
        break
      case 'COPY': {
        const parts = rest.split(/\s+/)
        const to = join(folder, parts.at(-1) ?? '')
        commands.push(`copy ${quoted(`${name}/root${to}`)} ${parts.slice(0, -1).map(quoted).join(' ')}`)
        break
      }
      case 'RUN': {
        const [mount = '', from = '', source = '', target = ''] =
          /^--mount=type=bind,from=(\w+),source=(\S+?),target=(\S+)\s+/.exec(rest) ?? []
        if (mount !== '') commands.push(`lend ${quoted(`${from}/root${source}`)} ${quoted(`${name}/root${target}`)}`)
        commands.push(inside(rest.slice(mount.length)))
        break
      }
      case 'USER':
        user = rest
        break
      case 'HEALTHCHECK':
        health = listIn(rest)
        break
      case 'ENTRYPOINT':
        entry = listIn(rest)
        break
      case 'CMD':
        command = listIn(rest)
        break
      default:
        throw new Error(`The Dockerfile has an instruction that this script does not know: ${what}`)
    }
  }
  return { env, user, health, commands, start: [...entry, ...command] }
}

function listIn(rest: string): readonly string[] {
  const list: unknown = JSON.parse(/\[.*\]$/.exec(rest)?.[0] ?? '[]')
  return Array.isArray(list) ? list.map(String) : []
}

/** Patterns of the ignore file as tar takes them. */
function ignored(): readonly string[] {
  return readFileSync(join(docker, 'Dockerfile.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (line.startsWith('**/') ? line.slice(3) : `./${line}`))
}

const [first = [], second = []] = stagesOf(readFileSync(join(docker, 'Dockerfile'), 'utf8'))
const builds = plan(first, 'build')
const image = plan(second, 'image')
const port = await freePort()
const settings = {
  ...Object.fromEntries(image.env),
  TOLLGATE_PORT: String(port),
  TOLLGATE_HOST: '127.0.0.1',
  TOLLGATE_PAY_TO: `0x${'5c'.repeat(20)}`,
  TOLLGATE_CHECK_SECONDS: '0',
}
/** As the compose file starts it: its user, no capabilities, no way to gain any. */
const asUser = `setpriv --reuid=${image.user} --regid=${image.user} --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all`
const within = (words: readonly string[]): string =>
  [
    'chroot "$T/image/root"',
    asUser,
    `/usr/bin/env -i HOME=/home/${image.user}`,
    ...Object.entries(settings).map(([key, value]) => quoted(`${key}=${value}`)),
    ...words.map(quoted),
  ].join(' ')

const script = `set -eu
${flags.tarball === undefined ? '' : '# Small enough for memory, where layers can lie whatever the disk is.\nmount -t tmpfs tmpfs "$T"'}
stage() {
  mkdir -p "$T/$1/layer" "$T/$1/work" "$T/$1/root"
  mount -t overlay overlay -o "lowerdir=/,upperdir=$T/$1/layer,workdir=$T/$1/work" "$T/$1/root"
  mount --rbind /dev "$T/$1/root/dev"; mount -t proc proc "$T/$1/root/proc"; mount -t tmpfs tmpfs "$T/$1/root/tmp"
  # What the base image brings: Node, and a user for it.
  node="$T/$1/root/usr/local/bin/node"; rm -f "$node"; touch "$node"; mount --bind ${quoted(process.execPath)} "$node"
  chroot "$T/$1/root" id -u node >/dev/null 2>&1 || chroot "$T/$1/root" useradd --create-home node
}
copy() {
  to="$T/$1"; shift
  for from in "$@"; do
    if [ "$from" = . ]; then tar -C ${quoted(root)} ${ignored()
      .map((one) => `--exclude=${quoted(one)}`)
      .join(' ')} -c . | tar -C "$to" -x
    elif [ -d "$to" ]; then cp -r ${quoted(root)}/"$from" "$to"/
    else mkdir -p "$(dirname "$to")"; cp -r ${quoted(root)}/"$from" "$to"; fi
  done
}
lend() { mkdir -p "$T/$2"; mount --bind "$T/$1" "$T/$2"; }
step() { printf '%s\\n' "$1" >&2; }
${
  flags.tarball === undefined
    ? builds.commands.map((one) => `step ${quoted(one.slice(0, 100))}\n${one}`).join('\n')
    : `mkdir -p "$T/build/root/pack"; cp ${quoted(flags.tarball)} "$T/build/root/pack/"`
}
${image.commands.map((one) => `step ${quoted(one.slice(0, 100))}\n${one}`).join('\n')}
umount "$T/image/root/pack" 2>/dev/null || true
# The volume has what the image has in its place; all else is read-only from here on.
mkdir -p "$T/volume"; chown --reference="$T/image/root/data" "$T/volume"; mount --bind "$T/volume" "$T/image/root/data"
mount -o remount,ro "$T/image/root"
${within(image.start)} &
server=$!
trap 'kill -9 $server 2>/dev/null || true' EXIT
healthy=no
for turn in $(seq 1 60); do
  kill -0 $server
  if ${within(image.health)}; then healthy=yes; break; fi
  sleep 0.5
done
chroot "$T/image/root" touch /usr/probe 2>/dev/null && readonly=no || readonly=yes
who=$(ps -o user= -p $server)
caps=$(grep CapEff /proc/$server/status | tr -s '\\t ' ' ' | cut -d' ' -f2)
kill -TERM $server
code=0; wait $server || code=$?
trap - EXIT
ledger=$([ -f "$T/volume/ledger.db" ] && echo yes || echo no)
size=$(du -sm "$T/image/layer/usr/local/lib" | cut -f1)
printf '{"healthy":"%s","user":"%s","capabilities":"%s","readOnlyRoot":"%s","ledgerInVolume":"%s","exitCode":%s,"packageMegabytes":%s}\\n' \\
  "$healthy" "$who" "$caps" "$readonly" "$ledger" "$code" "$size"
[ $healthy = yes ] && [ $readonly = yes ] && [ $ledger = yes ] && [ $code = 0 ] && [ "$who" != root ]
`

const folder = mkdtempSync(join(tmpdir(), 'tollgate-image-'))
try {
  writeFileSync(join(folder, 'steps.sh'), script)
  const { status } = spawnSync('unshare', ['--mount', '--fork', '--kill-child', 'bash', join(folder, 'steps.sh')], {
    env: { ...process.env, T: folder },
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
