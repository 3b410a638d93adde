import { expect, it } from 'vitest'

import { parametersIn, queryPairs } from './api-document.ts'

const color = { type: 'object', properties: { R: { type: 'integer' }, G: { type: 'integer' } } }

const queryOf = (more: object, value: unknown): string => {
  const operation = { parameters: [{ name: 'color', in: 'query', schema: {}, ...more }] }
  const parameters = parametersIn({ path: '/', method: 'get', operation, shared: {} }, (given) => given)
  const pairs = parameters.flatMap((one) => queryPairs(one, value))
  return pairs.map((pair) => pair.join('=')).join('&')
}

// The table of styles in OpenAPI 3.1, "Style Examples".
it.each([
  [{}, ['blue', 'black'], 'color=blue&color=black'],
  [{ style: 'form', explode: false }, ['blue', 'black'], 'color=blue,black'],
  [{ style: 'spaceDelimited', explode: false }, ['blue', 'black'], 'color=blue black'],
  [{ style: 'pipeDelimited', explode: false }, ['blue', 'black'], 'color=blue|black'],
  [{ schema: color }, { R: 100, G: 200 }, 'R=100&G=200'],
  [{ schema: color, explode: false }, { R: 100, G: 200 }, 'color=R,100,G,200'],
  [{ schema: color, style: 'deepObject', explode: true }, { R: 100, G: 200 }, 'color[R]=100&color[G]=200'],
  [{ content: { 'application/json': { schema: color } } }, { R: 100 }, 'color={"R":100}'],
])('writes an argument of %j with the value %j as %s', (parameter, value, query) => {
  expect(queryOf(parameter, value)).toBe(query)
})

it('sends no member that the description does not name, as it could be any other argument', () => {
  expect(queryOf({ schema: color }, { R: 1, admin: 'yes' })).toBe('R=1')
})

it('sends nothing for an argument that is not given', () => {
  expect(queryOf({}, undefined)).toBe('')
})
