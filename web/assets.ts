import { type Assets, buildApp, buildAssets } from './build-assets.ts'

let made: Assets | undefined

/** The browser's code, made from the sources when it is first asked for; the package has it ready made. */
export function loadAssets(): Assets {
  made ??= buildAssets()
  return made
}

let app: string | undefined

/** What draws an answer inside a host of MCP, in one piece; made like the rest. */
export function loadApp(): string {
  app ??= buildApp()
  return app
}
