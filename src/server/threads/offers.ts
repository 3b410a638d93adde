import type { GateListing } from '../../gate/listing.ts'
import type { Config } from '../../platform/config.ts'
import type { Tool } from '../../tool/tool.ts'

/** What a thread needs to run tools as its server does; it is cloned. */
export type ToolThreadData = {
  readonly config: Config
  readonly baseUrl: string
  readonly gates: readonly GateListing[]
}

/** What may change while a thread lives: what the tools cost, what they are called, and what is published of them. */
export type ThreadOffers = {
  readonly ownManifests: ReadonlyMap<string, string>
  readonly faces: ReadonlyMap<string, ToolFace>
}

type ToolFace = Pick<Tool, 'access' | 'name' | 'description'>

export function facesOf(tools: readonly Tool[]): ThreadOffers['faces'] {
  return new Map(tools.map(({ slug, access, name, description }) => [slug, { access, name, description }]))
}

/** The tools as the server sells them now. */
export function withFaces(tools: readonly Tool[], faces: ThreadOffers['faces']): readonly Tool[] {
  return tools.map((tool): Tool => ({ ...tool, ...faces.get(tool.slug) }))
}
