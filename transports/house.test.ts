import { afterEach, describe, expect, it } from 'vitest'

import { startTestHouse, type TestHouse } from '../test/money/house.ts'

const open: TestHouse[] = []

async function houseWith(env: Readonly<Record<string, string>>): Promise<TestHouse> {
  const house = await startTestHouse({ env })
  open.push(house)
  return house
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((house) => house.stop()))
})

describe('a house that serves others', () => {
  it('does not fetch from itself, whatever port its address names', async () => {
    const house = await houseWith({
      TOLLGATE_PUBLIC_URL: 'https://tools.example.org:8443',
      TOLLGATE_UPSTREAM_WEB_HOSTS: 'tools.example.org=http://127.0.0.1:9',
    })
    const { web } = house.served.house.upstreams.bind(AbortSignal.timeout(5_000))
    for (const address of ['https://tools.example.org:8443/api/tools', 'https://tools.example.org/']) {
      await expect(web.fetch(address)).rejects.toThrow('This server does not fetch from itself.')
    }
  })
})
