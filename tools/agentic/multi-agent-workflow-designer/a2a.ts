import type { Json } from './plan-tool.ts'
import type { Plan, Step } from './plan.ts'
import { endpointOf, inputsOf } from './render.ts'

/** The plan as A2A 1.0 `SendMessage` requests, one for the agent of each step; the JSON is never cut. */
export function a2aPayload({ steps }: Plan, limit: number): string {
  const full = payloadOf(steps, true)
  return full.length <= limit ? full : payloadOf(steps, false)
}

function payloadOf(steps: readonly Step[], withMetadata: boolean): string {
  const delegated = steps.some(({ tool }) => tool.protocol !== 'a2a')
  return JSON.stringify({
    a2aVersion: '1.0',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    notes: [
      ...(delegated
        ? [
            '{{dispatcher_url}} is your own A2A agent that makes HTTP and MCP calls: the tools of these steps are not A2A agents.',
          ]
        : []),
      '{{s1.field}} is a field of the answer of s1; any other {{name}} is yours to fill in.',
      'x402 steps are paid over HTTP, by whoever makes the call.',
    ],
    requests: steps.map((step) => ({
      stepId: step.id,
      url: step.tool.protocol === 'a2a' ? endpointOf(step) : '{{dispatcher_url}}',
      dependsOn: step.dependsOn,
      body: messageOf(step, withMetadata),
    })),
  })
}

function messageOf(step: Step, withMetadata: boolean): Json {
  const { tool, id } = step
  return {
    jsonrpc: '2.0',
    id,
    method: 'SendMessage',
    params: {
      message: {
        messageId: `m-${id}`,
        role: 'ROLE_USER',
        parts: [
          {
            data: {
              tool: tool.mcpTool ?? tool.slug,
              endpoint: endpointOf(step),
              method: tool.method,
              protocol: tool.protocol,
              input: inputsOf(step),
            },
            mediaType: 'application/json',
          },
        ],
        ...(withMetadata ? { metadata: { stepId: id, maxCostUsd: Number(tool.priceMicroUsd) / 1e6 } } : {}),
      },
      configuration: { acceptedOutputModes: ['application/json'], returnImmediately: false },
    },
  }
}
