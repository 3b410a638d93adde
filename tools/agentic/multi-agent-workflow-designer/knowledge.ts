import { defineKnowledge, lines, phrases, say, sayList } from '../../../src/tool/knowledge.ts'
import type tool from './tool.ts'

export default defineKnowledge<typeof tool>({
  category: 'indexer',
  chains: 'any',
  questions: lines(`
    plan a workflow of several tools
    which tools do i call to reach my goal
    compose a pipeline that does my research
    break this objective into steps
    orchestrate several agents
    design a multi step plan with prices
    draw up a task graph of tool calls
    make me an automation plan
    chain tools together
    sequence of tools with costs and fallbacks
    which tools do i need in which order
    what is the cheapest way to combine these tools
    step by step which tools should i use
    plan the calls for me and tell me what they cost
  `),
  keywords: phrases(`
    workflow, pipeline, compose tools, orchestrate, dag, graph of calls, plan of calls, break down objective,
    break goal into steps, multi agent, chain tools together, sequence of tools, several agents, combine
    tools, which tools to call, multi step plan, automation plan, task graph, step by step plan
  `),
  inputs: {
    goal: { from: 'sentence' },
    budget_usd: { from: 'usd' },
    max_steps: { from: 'number', of: 'step steps' },
    output_format: {
      from: 'choice',
      words: {
        'shell-curl': 'bash, shell, curl, script',
        'a2a-json-rpc': 'a2a json, a2a payload, a2a format, as a2a, in a2a, json rpc',
      },
    },
    preferred_protocols: {
      from: 'choice',
      words: { x402: '', mcp: '', a2a: '', rest: 'rest api' },
      isOnlyBeside: true,
    },
  },
  summary: (plan) =>
    say`${plan.steps.length} steps for $${plan.total_cost_usd}: ` +
    sayList(plan.steps, 12, ({ step_id: id, tool_slug: slug }) => say`${id} ${slug}`) +
    '.',
})
