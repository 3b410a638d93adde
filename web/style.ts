import { drawingStyle } from './drawings/style.ts'

const light =
  '--ink:#16211d;--soft:#51605a;--line:#dde4e0;--ground:#fbfcfb;--card:#fff;--accent:#1a6b50;--warn:#8a4b00;--bad:#a8261c;--on-accent:#fff;--code:#f2f5f3;--mark:#ffe9a8'
const dark =
  '--ink:#e8eeeb;--soft:#a2b0aa;--line:#2b3632;--ground:#101614;--card:#171f1c;--accent:#6fd3ad;--warn:#f0b35a;--bad:#ff9a8f;--on-accent:#08251b;--code:#1d2723;--mark:#5a4a12'

/** The theme that a program around a page asks for, whatever the system's is. */
export const themeStyle = `:root[data-theme=light]{${light};color-scheme:light}:root[data-theme=dark]{${dark};color-scheme:dark}`

/** The one style of all pages: system fonts, two themes, readable from 360 px on. */
export const style = `
:root{${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--ground)}
.wide{max-width:68rem;margin:0 auto;padding:0 1.25rem}
a{color:var(--accent);text-underline-offset:.2em}
a:focus-visible,button:focus-visible,input:focus-visible,select:focus-visible,textarea:focus-visible,.scroll:focus-visible,pre:focus-visible,blockquote:focus-visible,summary:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:2}
.top{border-bottom:1px solid var(--line)}
.top .wide{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:.9rem;padding-bottom:.9rem}
.mark{font-weight:650;text-decoration:none;color:var(--ink);margin-right:auto}
nav{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}nav a{text-decoration:none;color:var(--soft)}nav a:hover,nav a[aria-current]{color:var(--ink)}
.banner{margin:0;max-width:none;padding:.5rem 1.25rem;text-align:center;background:var(--code);color:var(--warn);font-weight:550}
main.wide{padding-top:1.5rem;padding-bottom:4rem}
h1{font-size:clamp(1.7rem,4.5vw,2.5rem);line-height:1.15;letter-spacing:-.02em;margin:.5rem 0 1rem}
h2{font-size:1.25rem;margin:2.5rem 0 .75rem;letter-spacing:-.01em}
h3{font-size:1rem;margin:1.5rem 0 .5rem}
p{max-width:44rem}li,p,h1,h3{overflow-wrap:anywhere}.lead{font-size:1.15rem;color:var(--soft)}
.soft{color:var(--soft)}
.grid{display:grid;gap:1rem;grid-template-columns:repeat(auto-fill,minmax(min(19rem,100%),1fr));padding:0;margin:0;list-style:none}
.two{display:grid;gap:1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(22rem,100%),1fr))}
.card{background:var(--card);border:1px solid var(--line);border-radius:.7rem;padding:1rem 1.1rem;display:flex;flex-direction:column;gap:.4rem;min-width:0}
.card h3{margin:0}.card h3 a{color:inherit;text-decoration:none}.card h3 a:hover{text-decoration:underline}
.card p{margin:0;color:var(--soft);font-size:.94rem}
.price,.card .price{font-variant-numeric:tabular-nums;font-weight:600;color:var(--accent);font-size:.92rem}
.facts{display:flex;flex-wrap:wrap;gap:.4rem 1.5rem;margin:1rem 0 0;padding:0;list-style:none}
.facts b{display:block;font-size:.78rem;font-weight:550;color:var(--soft)}
.code{margin:0 0 1rem;min-width:0}.code figcaption{display:flex;justify-content:space-between;align-items:center;gap:1rem;font-size:.88rem;color:var(--soft);min-height:2rem}
pre{margin:0;background:var(--code);border:1px solid var(--line);border-radius:.5rem;padding:.8rem 1rem;overflow:auto;max-height:28rem;font:.85rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.9em;overflow-wrap:anywhere}pre code{font-size:1em;overflow-wrap:normal}pre.line,pre.line code{white-space:pre-wrap;overflow-wrap:anywhere}
button,input,select,textarea{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:.45rem;padding:.4rem .7rem}
input{accent-color:var(--accent)}button{cursor:pointer;font-size:.85rem;padding:.15rem .6rem}
.filter{display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;margin:1rem 0 1.5rem}.filter label{display:grid;gap:.2rem;font-size:.85rem;color:var(--soft)}.filter input,.filter select{width:100%}.filter .grow{flex:1 1 16rem}.filter button{padding:.4rem .9rem}.filter output{padding:.4rem 0}
.card .foot{margin-top:auto;font-size:.85rem;padding-top:.3rem}.card p{overflow-wrap:anywhere}
.play{background:var(--card);border:1px solid var(--line);border-left:3px solid var(--warn);border-radius:.6rem;padding:.25rem 1.25rem 1rem;margin:2rem 0}.play h2{margin-top:1rem}
.start{display:inline-block;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none;padding:.55rem 1.1rem;border-radius:.5rem;margin:.25rem .5rem .25rem 0}
.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:.6rem;background:var(--card);margin:.5rem 0 1rem}
.findings:empty{display:none}table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .8rem;border-top:1px solid var(--line);overflow-wrap:break-word}
thead th{border-top:0;color:var(--soft);font-weight:550;white-space:nowrap}
td{max-width:32rem}.number{text-align:right;font-variant-numeric:tabular-nums}
td code{overflow-wrap:normal;white-space:nowrap}
dl.fields{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.3rem 1.25rem;margin:.5rem 0 1rem}
dl.fields dt{color:var(--soft);overflow-wrap:anywhere}dl.fields dd{margin:0;overflow-wrap:anywhere;min-width:0}
@media (max-width:34rem){dl.fields{grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:.25rem .8rem}}
.part{border-left:2px solid var(--line);padding-left:1rem;margin:.5rem 0 1rem}.part>h4{margin:.2rem 0;font-size:.92rem}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--accent)}
.try{background:var(--card);border:1px solid var(--line);border-radius:.8rem;padding:.25rem 1.25rem 1.25rem;margin:2rem 0}
.try h2{margin-top:1rem}
.try form{display:grid;gap:1rem 1.5rem;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));align-items:start}
.try form>p{grid-column:1/-1;margin:0}
.field{min-width:0;border:0;padding:0;margin:0}.field>label,.field>legend{font-weight:550;font-size:.92rem;padding:0}
.field:has(textarea),fieldset.field{grid-column:1/-1}
.field input:not([type=checkbox]),.field select,.field textarea{width:100%;margin-top:.25rem}
textarea{resize:vertical}.mono,textarea[data-json]{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88rem}
.note{margin:.2rem 0 0;color:var(--soft);font-size:.85rem}.note:empty{display:none}
.wrong{margin:.2rem 0 0;color:var(--bad);font-size:.88rem;font-weight:550}[aria-invalid]{border-color:var(--bad)}
.check{display:inline-flex;gap:.45rem;align-items:center}.choices{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem;margin-top:.3rem}
.row{display:flex;flex-wrap:wrap;gap:.6rem;align-items:center}
button.main{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}
.try button{font-size:.92rem;padding:.4rem .9rem}button:disabled{opacity:.55;cursor:default}
.notice{border-left:3px solid var(--warn);padding-left:.8rem}
.steps{list-style:none;margin:1rem 0 0;padding:0;display:grid;gap:.75rem}.steps:empty{display:none}
.step{border:1px solid var(--line);border-left:3px solid var(--soft);border-radius:.5rem;padding:.6rem 1rem;min-width:0}
.step.good{border-left-color:var(--accent)}.step.bad{border-left-color:var(--bad)}
.step h3{margin:0 0 .2rem}.step h4{margin:.8rem 0 .3rem;font-size:.95rem}.step p{margin:.3rem 0}.step pre{margin:.4rem 0;max-height:16rem}
.step code{overflow-wrap:anywhere}
.ways{list-style:none;margin:.6rem 0;padding:0;display:grid;gap:.5rem}.ways li{display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:center}
.ways img{vertical-align:-.2rem;margin-right:.2rem}.ways .soft{font-size:.88rem}
h2:focus{outline:none}
[hidden]{display:none!important}
.guide{display:grid;gap:1rem 3rem;grid-template-columns:minmax(0,1fr)}.guide article{min-width:0}.guide article>h1{margin-top:0}
.guides{display:block;font-size:.92rem}.guides p{margin:.8rem 0 .2rem;color:var(--soft);font-weight:550}.guides ul{list-style:none;margin:0;padding:0}.guides li a{display:block;padding:.15rem .6rem;border-left:2px solid var(--line)}.guides li a[aria-current]{border-color:var(--accent);font-weight:600}.guides .filter{margin:0 0 .8rem}
.parts{border-bottom:1px solid var(--line);padding-bottom:1rem;font-size:.92rem}.parts a{color:var(--accent)}
.hits{list-style:none;padding:0}.hits h2{font-size:1.05rem;margin:1.4rem 0 .2rem}.hits .soft{font-weight:400;font-size:.88rem}.hits p{margin:0}
@media (min-width:58rem){.guide{grid-template-columns:14rem minmax(0,1fr)}.guides{grid-column:1;grid-row:1}.guide article{grid-column:2}}
[data-reference]{--ink:#16211d;--soft:#51605a;--line:#dde4e0;--ground:#fbfcfb;--accent:#1a6b50;--warn:#8a4b00;--bad:#a8261c;--code:#f2f5f3;background:var(--ground);color:var(--ink);color-scheme:light;border-radius:.6rem;overflow:clip}
td time{white-space:nowrap}
.dot{display:inline-block;width:.6rem;height:.6rem;border-radius:50%;background:var(--soft)}.dot.well{background:var(--accent)}.dot.some{background:var(--warn);border-radius:.1rem;transform:rotate(45deg)}.dot.many{background:var(--bad);border-radius:.1rem}.dot.none{background:none;border:1.5px solid var(--soft)}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;max-width:none;font-size:.9rem}
.history{list-style:none;margin:.5rem 0 1rem;padding:0;border:1px solid var(--line);border-radius:.6rem;background:var(--card)}
.history li{display:grid;gap:.2rem 1rem;grid-template-columns:minmax(0,1fr) auto;align-items:center;padding:.55rem .9rem;border-top:1px solid var(--line)}.history li:first-child{border-top:0}
.history .uptime{grid-column:1/-1}.history .share{font-size:.85rem;font-variant-numeric:tabular-nums;grid-column:1/-1}.history .now{font-size:.9rem;white-space:nowrap}.history .what{overflow-wrap:anywhere}.history .what a{color:inherit;text-decoration:none}.history .what a:hover{text-decoration:underline}
svg.uptime{display:block;width:100%;height:1.4rem}.uptime .well{fill:var(--accent)}.uptime .some{fill:var(--warn)}.uptime .many{fill:var(--bad)}.uptime .none{fill:var(--line)}
@media (min-width:48rem){.history li{grid-template-columns:minmax(0,1fr) 6.5rem 16rem 11rem}.history .uptime{grid-column:3;grid-row:1}.history .share{grid-column:4;grid-row:1;text-align:right}}
@media (max-width:34rem){.filter label{flex:1 1 8rem}.banner{font-size:.9rem;padding:.4rem 1rem}.lead{font-size:1.05rem}.try{padding:.25rem .9rem 1rem}.step{padding:.5rem .75rem}}
footer{border-top:1px solid var(--line);color:var(--soft);font-size:.9rem}
${drawingStyle}`.replaceAll('\n', '')
