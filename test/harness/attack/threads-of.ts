import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** The threads of a process on Linux, by the names that the runtime gave them, and how nice each is. */
export function threadsOf(pid: number | 'self'): readonly { readonly name: string; readonly niceness: number }[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) => {
    const [start = '', rest = ''] = textOf(`/proc/${pid}/task/${thread}/stat`).split(') ')
    return rest === '' ? [] : [{ name: start.slice(start.indexOf('(') + 1), niceness: Number(rest.split(' ')[16]) }]
  })
}

/** Empty where the thread has ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (existsSync(file)) throw error
    return ''
  }
}
