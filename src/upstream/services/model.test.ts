import { describe, expect, it } from 'vitest'

import { parseConfig } from '../../platform/config.ts'

describe('a language model', () => {
  it('is configured by its address and its name', () => {
    const env = {
      TOLLGATE_MODEL_URL: 'https://model.example/v1/',
      TOLLGATE_MODEL_NAME: 'small',
      TOLLGATE_MODEL_KEY: 'k',
    }
    expect(parseConfig(env)).toMatchObject({
      model: { url: 'https://model.example/v1', name: 'small' },
      keys: { model: 'k' },
    })
    expect(parseConfig({}).model).toBeUndefined()
  })

  it.each([{ TOLLGATE_MODEL_URL: 'https://model.example/v1' }, { TOLLGATE_MODEL_NAME: 'small' }])(
    'is not half configured: %j',
    (env) => {
      expect(() => parseConfig(env)).toThrow('give both or neither')
    },
  )
})
