import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

import { describe, expect, it } from 'vitest'

import { findAnvil, startAnvil } from './anvil.ts'
import { poll, rpc } from './rpc.ts'

const options = { chainId: 31_337, port: 0, genesisTimestamp: Math.floor(Date.now() / 1000) }

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('the local chain', () => {
  it('answers with the id it was given and is gone after stop', async () => {
    const anvil = await startAnvil(options)
    expect(await rpc(anvil.rpcUrl, 'eth_chainId')).toBe('0x7a69')
    expect(new URL(anvil.rpcUrl).hostname).toBe('127.0.0.1')
    await anvil.stop()
    expect(isRunning(anvil.pid)).toBe(false)
  })

  it('is gone when the process that started it is killed outright', async () => {
    const code = `
      const { startAnvil } = await import(${JSON.stringify(new URL('anvil.ts', import.meta.url).href)})
      const { pid } = await startAnvil(${JSON.stringify(options)})
      console.log(pid)`
    const parent = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const pid = await new Promise<number>((resolve, reject) => {
      createInterface(parent.stdout).once('line', (line) => resolve(Number(line)))
      parent.once('exit', () => reject(new Error('The parent ended before the chain was there.')))
    })
    expect(isRunning(pid)).toBe(true)
    parent.kill('SIGKILL')
    await poll(async () => (isRunning(pid) ? undefined : true), 'the end of the orphaned chain', 5_000)
  })

  it('says how to install the chain when the program is missing', async () => {
    await expect(startAnvil({ ...options, binary: '/nowhere/anvil' })).rejects.toThrow(/could not be started/)
    expect(findAnvil()).toContain('anvil')
  })

  it('says why it did not start when the port is taken', async () => {
    const first = await startAnvil(options)
    await expect(startAnvil({ ...options, port: Number(new URL(first.rpcUrl).port) })).rejects.toThrow(/in use/)
    await first.stop()
  })
})
