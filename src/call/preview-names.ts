/**
 * Free looks at a call: what it would cost and whether it could be answered, or the answer of the published example.
 */
export const previewNames = ['dryRun', 'example'] as const
export type PreviewName = (typeof previewNames)[number]
