/** How drawings look. Letters in pictures keep their size where the picture grows with its place. */
export const drawingStyle = `
.counts{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin:.5rem 0}
.findings{list-style:none;padding:0;margin:.5rem 0 1rem;display:grid;gap:.6rem}
.finding{border:1px solid var(--line);border-left:4px solid var(--soft);border-radius:.5rem;padding:.6rem 1rem;min-width:0}
.finding p{margin:.3rem 0;max-width:none}.finding .head{font-weight:600}
.finding.bad{border-left-color:var(--bad)}.finding.warn{border-left-color:var(--warn)}
.finding dl.fields{margin:.4rem 0}.finding .soft{font-size:.85rem}
.level{display:inline-block;font-size:.78rem;font-weight:650;border:1px solid currentColor;border-radius:.3rem;padding:0 .4rem;margin-right:.3rem;text-transform:uppercase;letter-spacing:.03em;color:var(--soft);white-space:nowrap}
.level.bad{color:var(--bad)}.level.warn{color:var(--warn)}
.evidence{margin:.5rem 0}.evidence figcaption{font-size:.82rem;color:var(--soft)}
.evidence blockquote{margin:.25rem 0 0;padding:.6rem .9rem;background:var(--code);border:1px solid var(--line);border-radius:.4rem;white-space:pre-wrap;overflow-wrap:anywhere;max-height:18rem;overflow:auto;font:.85rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
mark{background:var(--mark);color:inherit;border-radius:.15rem;padding:.05rem .1rem;box-decoration-break:clone;-webkit-box-decoration-break:clone}
svg.bar{display:inline-block;width:5rem;height:.6rem;margin-left:.6rem;color:var(--accent);vertical-align:baseline}.bar .track{fill:var(--line)}
td .level{margin:0}td code.hex{display:block;min-width:12rem;white-space:normal;overflow-wrap:anywhere;font-size:.8rem}code.wrap{display:block;min-width:14rem;white-space:normal;overflow-wrap:anywhere}
td.number{white-space:nowrap}td:has(>.long){min-width:17rem}td:has(>.mid){min-width:10rem}.part .scroll{max-height:34rem;overflow:auto}.part .scroll thead th{position:sticky;top:0;background:var(--card);box-shadow:0 1px var(--line)}
@media (max-width:34rem){.part th,.part td{padding:.4rem .5rem}svg.bar{width:3rem;margin-left:.4rem}.part{padding-left:.6rem}}
.chart{container-type:inline-size;margin:.75rem 0 1rem;min-width:0}
.chart>svg{display:block;width:100%;height:auto;max-width:36rem;overflow:visible}
.chart svg{color:var(--accent)}
.chart figcaption{font-size:.85rem;color:var(--soft);margin-top:.3rem;max-width:36rem}
.chart text{font-size:11.5px;fill:var(--soft);font-variant-numeric:tabular-nums}.chart text.name{fill:var(--ink);font-weight:600}
@container (min-width:25rem){.chart>svg text{font-size:9.5px}}@container (min-width:32rem){.chart>svg text{font-size:7.5px}}
.chart .grid line,.chart .grid path{stroke:var(--line);fill:none;vector-effect:non-scaling-stroke}
.chart .stroke{fill:none;stroke:currentColor;stroke-width:2;vector-effect:non-scaling-stroke;stroke-linejoin:round}
.chart .area{fill:currentColor;opacity:.13}.chart circle{fill:currentColor}
.chart .bound{stroke:var(--warn);stroke-width:1.5;stroke-dasharray:5 4;vector-effect:non-scaling-stroke}
.chart .part{fill:currentColor}.chart .part.other{opacity:.55}
.chart .edge{fill:none;stroke:var(--soft);stroke-width:1.3;opacity:.7}.chart .tip{fill:var(--soft)}
.chart .box{fill:var(--card);stroke:var(--accent);stroke-width:1.3}
.graph .pan{overflow-x:auto}.graph .pan svg{display:block}.graph text{font-size:12px}
.pan:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
`
