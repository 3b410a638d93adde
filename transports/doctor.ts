export type DoctorCommand = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly out: (text: string) => void
  readonly color: boolean
}
export async function runDoctor(_command: DoctorCommand): Promise<number> {
  return 1
}
