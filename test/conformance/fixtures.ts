import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  MissingRequiredClientCapabilityError,
  ResourceTemplate,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { z } from 'zod'

/** A picture of one pixel and a sound of no samples: the smallest files of their kinds. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const wav = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] })
const question = (
  message: string,
  name: string,
  property: { type: 'string' } | { type: 'boolean' } = { type: 'string' },
) =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { [name]: property }, required: [name] },
  })
const sampling = (prompt: string, maxTokens: number) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens })
const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

const states = createRequestStateCodec({ key: 'a key of thirty-two bytes or more, for tests', ttlSeconds: 60 })

/**
 * The tools, prompts and resources that the conformance suite asks a server for. The four tools that need an answer
 * from the client in the middle of a call of 2025 are missing: over a stateless endpoint that answer cannot come, and a
 * tool that is not there fails at once instead of after thirty seconds.
 */
export function createFixtureServer(notify: ServerNotifier): McpServer {
  const server = new McpServer(
    { name: 'conformance-fixtures', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        logging: {},
        completions: {},
      },
      cacheHints: {
        'tools/list': { ttlMs: 60_000, cacheScope: 'public' },
        'prompts/list': { ttlMs: 60_000, cacheScope: 'public' },
        'resources/list': { ttlMs: 60_000, cacheScope: 'public' },
      },
      requestState: { verify: (state, context) => states.verify(state, context) },
    },
  )
  addContent(server)
  addNotifying(server, notify)
  addQuestions(server)
  addResources(server)
  addPrompts(server)
  // The fixtures have nothing to complete, but a client may ask.
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0 } }))
  server.server.setRequestHandler('logging/setLevel', () => ({}))
  server.server.setRequestHandler('resources/subscribe', () => ({}))
  server.server.setRequestHandler('resources/unsubscribe', () => ({}))
  return server
}

function addContent(server: McpServer): void {
  const embedded = {
    type: 'resource',
    resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'An embedded resource.' },
  } as const
  const image = { type: 'image', data: png, mimeType: 'image/png' } as const
  const answers: Readonly<Record<string, CallToolResult>> = {
    test_simple_text: text('This is a simple text response for testing.'),
    test_image_content: { content: [image] },
    test_audio_content: { content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] },
    test_embedded_resource: { content: [embedded] },
    test_multiple_content_types: { content: [{ type: 'text', text: 'Several kinds of content:' }, image, embedded] },
  }
  for (const [name, answer] of Object.entries(answers)) {
    server.registerTool(name, { description: `Answers for ${name}.` }, async () => answer)
  }
  server.registerTool('test_error_handling', { description: 'Fails.' }, async () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    {
      description: 'Has a nested input.',
      inputSchema: z.strictObject({
        name: z.string().optional(),
        address: z.strictObject({ street: z.string().optional(), city: z.string().optional() }).optional(),
      }),
    },
    async (input) => text(JSON.stringify(input)),
  )
}

function addNotifying(server: McpServer, notify: ServerNotifier): void {
  const log = (context: ServerContext, data: string) =>
    context.mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })

  server.registerTool(
    'test_tool_with_logging',
    { description: 'Logs three times.', inputSchema: z.strictObject({}) },
    async (_input, context) => {
      for (const line of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await log(context, line)
        await pause(10)
      }
      return text('Logged.')
    },
  )
  server.registerTool(
    'test_logging_tool',
    { description: 'Logs where the request asks for it.', inputSchema: z.strictObject({}) },
    async (_input, context) => {
      await context.mcpReq.log('info', 'A line for those who asked for it')
      return text('Logged.')
    },
  )
  server.registerTool(
    'test_tool_with_progress',
    { description: 'Reports progress.', inputSchema: z.strictObject({}) },
    async (_input, context) => {
      const progressToken = context.mcpReq._meta?.progressToken
      if (progressToken !== undefined) {
        for (const progress of [0, 50, 100]) {
          await context.mcpReq.notify({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 100, message: `Completed step ${progress} of 100` },
          })
          await pause(10)
        }
      }
      return text(String(progressToken))
    },
  )
  server.registerTool('test_trigger_tool_change', { description: 'Says that the tools changed.' }, async () => {
    notify.toolsChanged()
    return text('Said.')
  })
  server.registerTool('test_trigger_prompt_change', { description: 'Says that the prompts changed.' }, async () => {
    notify.promptsChanged()
    return text('Said.')
  })
}

function addQuestions(server: McpServer): void {
  /** A tool that takes nothing and asks its caller for what it wants. */
  const asks = (
    name: string,
    description: string,
    answer: (context: ServerContext) => Promise<CallToolResult | InputRequiredResult>,
  ): void => {
    server.registerTool(name, { description, inputSchema: z.strictObject({}) }, (_input, context) => answer(context))
  }
  asks('test_missing_capability', 'Needs sampling.', async () =>
    inputRequired({ inputRequests: { greeting: sampling('Generate a greeting', 50) } }),
  )
  for (const name of ['test_streaming_elicitation', 'test_input_required_result_elicitation']) {
    asks(name, 'Asks for a name.', async ({ mcpReq }) => {
      const given = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name')?.name
      if (given !== undefined) return text(`Hello, ${given}!`)
      return inputRequired({ inputRequests: { user_name: question('What is your name?', 'name') } })
    })
  }
  asks('test_input_required_result_sampling', 'Asks a model.', async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
    if (answer.kind === 'sampling') return text(`The model said: ${JSON.stringify(answer.result.content)}`)
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?', 100) } })
  })
  asks('test_input_required_result_list_roots', 'Asks for roots.', async ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
    if (answer.kind === 'roots') return text(`Roots: ${answer.roots.map(({ uri }) => uri).join(', ')}`)
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
  })
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state']) {
    asks(name, 'Asks and remembers.', async ({ mcpReq }) => {
      const ok = acceptedContent<{ ok: boolean }>(mcpReq.inputResponses, 'confirm')?.ok
      if (ok !== undefined && mcpReq.requestState() !== undefined) return text('state-ok')
      return inputRequired({
        inputRequests: { confirm: question('Please confirm', 'ok', { type: 'boolean' }) },
        requestState: await states.mint({ step: 'confirm' }),
      })
    })
  }
  asks('test_input_required_result_multiple_inputs', 'Asks three things.', async ({ mcpReq }) => {
    const { inputResponses } = mcpReq
    const name = acceptedContent<{ name: string }>(inputResponses, 'user_name')?.name
    const greeting = inputResponse(inputResponses, 'greeting')
    const roots = inputResponse(inputResponses, 'client_roots')
    if (name !== undefined && greeting.kind === 'sampling' && roots.kind === 'roots') {
      return text(`${name}: ${JSON.stringify(greeting.result.content)}, ${roots.roots.length} roots`)
    }
    return inputRequired({
      inputRequests: {
        user_name: question('What is your name?', 'name'),
        greeting: sampling('Generate a greeting', 50),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await states.mint({ step: 'all' }),
    })
  })
  asks('test_input_required_result_multi_round', 'Asks twice.', async ({ mcpReq }) => {
    const name = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'step1')?.name
    const color = acceptedContent<{ color: string }>(mcpReq.inputResponses, 'step2')?.color
    if (color !== undefined) return text(`The color is ${color}.`)
    if (name !== undefined) {
      return inputRequired({
        inputRequests: { step2: question('Step 2: What is your favorite color?', 'color') },
        requestState: await states.mint({ step: 'two', name }),
      })
    }
    return inputRequired({
      inputRequests: { step1: question('Step 1: What is your name?', 'name') },
      requestState: await states.mint({ step: 'one' }),
    })
  })
  asks('test_input_required_result_capabilities', 'Asks only for what the client can give.', async (context) => {
    const able = capabilitiesOf(context)
    const inputRequests = {
      ...('elicitation' in able ? { user_name: question('What is your name?', 'name') } : {}),
      ...('sampling' in able ? { greeting: sampling('Generate a greeting', 50) } : {}),
      ...('roots' in able ? { client_roots: inputRequired.listRoots() } : {}),
    }
    if (Object.keys(inputRequests).length === 0) {
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { elicitation: {} } })
    }
    return inputRequired({ inputRequests })
  })
}

function capabilitiesOf({ mcpReq }: ServerContext): object {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope }
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
  return typeof declared === 'object' && declared !== null ? declared : {}
}

function addResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'The content of the static text resource.' }],
  }))
  server.registerResource('static-binary', 'test://static-binary', { mimeType: 'image/png' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'image/png', blob: png }],
  }))
  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, async (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Watched.' }],
  }))
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async (uri, { id }) => ({
      contents: [
        {
          uri: uri.href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
        },
      ],
    }),
  )
}

function addPrompts(server: McpServer): void {
  const say = (value: string) => ({ role: 'user', content: { type: 'text', text: value } }) as const
  server.registerPrompt('test_simple_prompt', { description: 'Says one thing.' }, async () => ({
    messages: [say('This is a simple prompt for testing.')],
  }))
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Says its arguments.', argsSchema: z.strictObject({ arg1: z.string(), arg2: z.string() }) },
    async ({ arg1, arg2 }) => ({ messages: [say(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)] }),
  )
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Shows a resource.', argsSchema: z.strictObject({ resourceUri: z.string() }) },
    async ({ resourceUri }) => ({
      messages: [
        {
          role: 'user',
          content: {
            type: 'resource',
            resource: { uri: resourceUri, mimeType: 'text/plain', text: 'An embedded resource.' },
          },
        },
        say('Please process the embedded resource above.'),
      ],
    }),
  )
  server.registerPrompt('test_prompt_with_image', { description: 'Shows a picture.' }, async () => ({
    messages: [
      { role: 'user', content: { type: 'image', data: png, mimeType: 'image/png' } },
      say('Please analyze the image above.'),
    ],
  }))
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first.' }, async (context) => {
    const given = acceptedContent<{ context: string }>(context.mcpReq.inputResponses, 'user_context')?.context
    if (given !== undefined) return { messages: [say(given)] }
    return inputRequired({
      inputRequests: { user_context: question('What context should the prompt use?', 'context') },
    })
  })
}
