// Loaded into a server of the storm before anything else (--import), in each of its threads: its clock is as far off as
// the file says that TOLLGATE_STORM_CLOCK names, and its names are looked up at TOLLGATE_STORM_DNS.
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import dns from 'node:dns/promises'

const { TOLLGATE_STORM_CLOCK: clockFile, TOLLGATE_STORM_DNS: nameServer } = process.env

if (clockFile !== undefined) {
  const RealDate = Date
  let offset = 0
  const look = () => {
    try {
      offset = Number(readFileSync(clockFile, 'utf8')) || 0
    } catch {
      // It is being written; the next look has it.
    }
  }
  look()
  setInterval(look, 25).unref()
  globalThis.Date = class extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(RealDate.now() + offset)
      else super(...parts)
    }

    static now() {
      return RealDate.now() + offset
    }
  }
}

if (nameServer !== undefined) {
  const RealResolver = dns.Resolver
  dns.Resolver = class extends RealResolver {
    constructor(options) {
      super(options)
      this.setServers([nameServer])
    }
  }
  syncBuiltinESMExports()
}
