import { cleanText } from '../tool/text.ts'
import type { ForeignTool } from './foreign-tool.ts'

/**
 * The text of a first gate file: every tool that the server has now, by name, at one price. One that the server gets
 * later is not sold before somebody has written it down.
 * @param isOffered false for one that cannot be sold as it is; a file that gives it a price would be refused.
 */
export function initialGateFile(
  server: Readonly<Record<string, unknown>>,
  tools: readonly ForeignTool[],
  price: string,
  isOffered: (name: string) => boolean,
): string {
  const isFree = price === 'free'
  return [
    '# What is sold of another server; docs/sell-an-mcp-server.md has every field.',
    'server:',
    ...Object.entries(server).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
    '',
    '# Of every tool. A call that fails or takes longer is not charged.',
    'timeoutSeconds: 15',
    '',
    '# By the names that the server gives its tools. Dollars a call, or free; false is not offered.',
    'tools:',
    ...tools.flatMap(({ name, description }) => [
      ...(description === undefined ? [] : [`  # ${cleanText(description, 100)}`]),
      `  ${JSON.stringify(name)}: ${isOffered(name) ? `{ price: ${isFree ? price : JSON.stringify(price)} }` : 'false'}`,
    ]),
    '',
  ].join('\n')
}
