import { type Assets, buildAssets } from './build-assets.ts'

let made: Assets | undefined

/** The browser's code, made from the sources when it is first asked for; the package has it ready made. */
export function loadAssets(): Assets {
  made ??= buildAssets()
  return made
}
