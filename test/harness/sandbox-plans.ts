import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { z } from 'zod'

import { type Accepts, pay } from '../money/payer.ts'
import { type SandboxProcess, startSandboxProcess } from './sandbox-process.ts'

/** How one plan went: what it called, how many answers it left, and what stopped it. */
export type PlanRun = {
  readonly goal: string
  readonly steps: readonly string[]
  readonly answers: number
  readonly paid: number
  readonly trouble?: string
}

const planShape = z.object({
  steps: z.array(z.object({ step_id: z.string(), tool_slug: z.string(), tool_url: z.string(), protocol: z.string() })),
  executable_plan: z.object({ payload: z.string() }),
})
const termsShape = z.object({ accepts: z.array(z.custom<Accepts>()).min(1) })
const toSign = /sign the 402 of (s\d+)/
/** A busy machine is asked again. */
const mostAgain = 4
const planner = '/api/agentic/tools/multi-agent-workflow-designer'

/** Runs the plan of every goal in a sandbox of its own; the goals are about what the sandbox holds unless given. */
export async function runPlans(goals?: readonly string[]): Promise<readonly PlanRun[]> {
  const sandbox = await startSandboxProcess()
  try {
    const runs: PlanRun[] = []
    for (const goal of goals ?? goalsIn(sandbox)) runs.push(await runPlan(goal, sandbox))
    return runs
  } finally {
    await sandbox.stop()
  }
}

async function runPlan(goal: string, sandbox: SandboxProcess): Promise<PlanRun> {
  const folder = await mkdtemp(join(tmpdir(), 'plan-'))
  try {
    const plan = await planOf(goal, sandbox)
    const file = join(folder, 'plan.sh')
    const answers = join(folder, 'answers')
    await writeFile(file, plan.executable_plan.payload)
    const steps = plan.steps.map(({ tool_slug: slug }) => slug)
    const payments: Record<string, string> = {}
    for (let again = 0; ;) {
      const trouble = await troubleOf(file, { ...payments, PLAN_DIR: answers, HOME: folder })
      const open = toSign.exec(trouble ?? '')?.[1]
      const step = plan.steps.find(({ step_id: id }) => id === open)
      const key = `PAYMENT_${(open ?? '').toUpperCase()}`
      if (step !== undefined && payments[key] === undefined) {
        payments[key] = await paymentFor(step.tool_url, sandbox)
        continue
      }
      // An answer that says to try again is tried again, as the script was made for: what was done is not repeated.
      if (/error: 50[034]/.test(trouble ?? '') && again < mostAgain) {
        again += 1
        continue
      }
      const left = (await readdir(answers)).filter((name) => name.endsWith('.json'))
      for (const name of left) JSON.parse(await readFile(join(answers, name), 'utf8'))
      const said = trouble ?? (left.length === steps.length ? undefined : 'a step left no answer')
      const count = { goal, steps, answers: left.length, paid: Object.keys(payments).length }
      return said === undefined ? count : { ...count, trouble: said }
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function planOf(goal: string, sandbox: SandboxProcess): Promise<z.output<typeof planShape>> {
  const url = sandbox.baseUrl + planner
  for (let again = 0; ; again += 1) {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'payment-signature': await paymentFor(url, sandbox) },
      body: JSON.stringify({ goal, output_format: 'shell-curl', max_steps: 12 }),
    })
    if (answer.status === 200) return planShape.parse(await answer.json())
    const text = await answer.text()
    if (answer.status < 500 || again >= mostAgain) throw new Error(`“${goal}”: ${answer.status} ${text}`)
  }
}

async function paymentFor(url: string, { wallets }: SandboxProcess): Promise<string> {
  const terms = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
  const [accepts] = termsShape.parse(await terms.json()).accepts
  if (accepts === undefined) throw new Error(`${url} names no terms.`)
  return (await pay(wallets.payer, accepts)).header
}

/** What a script says where it stops; nothing where it runs to its end. */
async function troubleOf(file: string, env: Readonly<Record<string, string>>): Promise<string | undefined> {
  try {
    await promisify(execFile)('bash', [file], { env: { PATH: process.env['PATH'], ...env }, timeout: 120_000 })
    return undefined
  } catch (error) {
    const stderr = z.object({ stderr: z.string() }).safeParse(error)
    return stderr.success && stderr.data.stderr !== '' ? stderr.data.stderr : String(error)
  }
}

/** Twenty goals about what is on the sandbox's own chain. */
function goalsIn({ wallets: { payer, holder }, chain: { usdc } }: SandboxProcess): readonly string[] {
  return [
    'current gas price on Base',
    `audit the token approvals of ${payer.address}`,
    `is the token ${usdc} safe`,
    `list the functions of ${usdc}`,
    `trust score of ${payer.address}`,
    `is the token ${usdc} safe, then list its functions`,
    `audit the approvals of ${payer.address}, then check the gas price`,
    `list the functions of ${usdc}, then the gas price, then the approvals of ${holder.address}`,
    'how much of the native token was burned',
    'who are the largest stakers of the native token',
    'recent whale moves of the native token',
    'burned supply of the native token, then the largest stakers',
    'largest stakers of the native token, then whale alerts, then the gas price',
    'grants for a developer tool on Base',
    'grants for a game on Base, then the gas price',
    'token plan for my agent called Orbit with symbol ORBT',
    'token plan for my agent called Orbit with symbol ORBT, then grants for a tool on Base',
    `is the agent ${payer.address} certified`,
    `is the agent ${payer.address} certified, then its trust score`,
    `trust score of ${holder.address}, approvals of ${holder.address} and the gas price`,
  ]
}
