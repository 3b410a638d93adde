import type { PaidServer } from '../../src/server/paid.ts'
import { readyCatalog, readyDocuments, type ReadyDocument } from './documents.ts'

export type OpenDocumentsParts = {
  readonly server: PaidServer
  readonly now: () => number
  readonly startedAt: number
  /** The catalog as a browser is shown it. */
  readonly page: () => ReadyDocument
}

export type OpenDocuments = {
  readonly documents: ReadonlyMap<string, ReadyDocument>
  /** Makes the catalog again, when the registry or an outage changed what it says. */
  readonly renewCatalog: () => void
}

/** The documents of a running server. */
export function openDocuments({ server, now, startedAt, page }: OpenDocumentsParts): OpenDocuments {
  const catalogNow = (): ReadonlyMap<string, ReadyDocument> => {
    const facts = {
      config: server.describe,
      settings: server.settings,
      outageOf: server.offers.outageOf,
      toolIds: server.registered.known(),
      generatedAt: new Date(now()),
    }
    return readyCatalog(server.toolList, facts, page)
  }
  const documents = new Map([
    ...readyDocuments(server.toolList, server.describe, new Date(startedAt), server.manifests),
    ...catalogNow(),
  ])
  return {
    documents,
    renewCatalog: () => {
      for (const [path, document] of catalogNow()) documents.set(path, document)
    },
  }
}
