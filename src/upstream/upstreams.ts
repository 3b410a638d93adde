/** The outside world, as a tool sees it: one client per service, each already bound to the call's deadline. */
// oxlint-disable-next-line typescript/no-empty-object-type
export type Upstreams = {
  // One line per client, in the order of the alphabet.
}
