import { Graph, layout } from '@dagrejs/dagre'

import type { LayOut, Place } from './pen.ts'
import { isFields, numberOf } from './values.ts'

/** Gives boxes and the arrows between them their places. The library's own types are of no use to Node's resolution. */
export const layOut: LayOut = (count, box, edges) => {
  const graph = new Graph()
  graph.setGraph({ rankdir: 'TB', ranksep: 34, nodesep: 16, marginx: 4, marginy: 4 })
  graph.setDefaultEdgeLabel(() => ({}))
  // Names of others are no keys here: a box is known by its place in the list.
  const names = Array.from({ length: count }, (_value, index) => `n${index}`)
  for (const name of names) graph.setNode(name, { ...box })
  for (const [from, to] of edges) graph.setEdge(`n${from}`, `n${to}`)
  layout(graph)
  const whole: unknown = graph.graph()
  const size = isFields(whole) ? whole : {}
  return {
    places: names.map((name) => placeIn(graph.node(name))),
    lines: edges.map(([from, to]) => pointsIn(graph.edge(`n${from}`, `n${to}`))),
    width: numberOf(size['width']) ?? 0,
    height: numberOf(size['height']) ?? 0,
  }
}

function placeIn(value: unknown): Place {
  return isFields(value) ? { x: numberOf(value['x']) ?? 0, y: numberOf(value['y']) ?? 0 } : { x: 0, y: 0 }
}

function pointsIn(value: unknown): readonly Place[] {
  const points = isFields(value) ? value['points'] : undefined
  return Array.isArray(points) ? points.map(placeIn) : []
}
