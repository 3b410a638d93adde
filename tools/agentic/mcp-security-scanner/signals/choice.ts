import { r, says, saysOften } from './says.ts'
import type { Signal } from './signal.ts'

/** What texts say to sway which tool is used, with which values and what is said of it. */
export const choiceSignals = {
  callsTool: {
    pattern: says(
      r`\b(?:call|calls|calling|use|using|invoke|invoking|run|running|execute|executing|trigger|consult)\b`,
    ),
  },
  beforeAnything: {
    pattern: says(
      r`\b{before} (?:\w+ ){0,3}?{any}\b`,
      r`\b(?:as|is) the (?:very )?first (?:step|thing|action)`,
      r`\bfirst (?:step|thing) (?:to|for|is|in|before)`,
      r`\bmust (?:\w+ )?(?:be )?(?:called|run|used|executed|invoked) (?:first|before|prior)`,
      r`\bcall this (?:tool|function) first\b`,
    ),
  },
  hookBeforeOthers: {
    pattern: says(
      r`\b(?:before|prior to|after|preced\w+) (?:\w+ ){0,3}?{anyEvery} (?:\w+ ){0,3}?{tools}\b`,
      r`\b(?:at|on) the (?:start|beginning) of (?:every|each|any|all) (?:\w+ )?{conversation}`,
      r`\bbefore (?:you )?(?:respond|answer|repl)\w* (?:to )?(?:any|every|each|the user)`,
      r`\b(?:before|after) (?:you )?{execute} (?:the |a |an )?[\w\x60'"-]+(?: \w+)? {tool}\b`,
      r`\bfirst step to start any\b`,
      r`\bfor (?:every|each|any) (?:\w+ ){1,4}{performed} (?:by|on|in|through|with) (?:any|every|other|all)\b`,
      r`\bin order to use any other\b`,
    ),
  },
  hookCalls: {
    pattern: says(
      r`\b{mustShould} (?:\w+ )?(?:be )?{called} (?:\w+ ){0,6}?{first} (?:\w+ ){0,3}?{every}\b`,
      r`\b(?:invocations?|calls?|requests?) (?:of|to) [\x60'"]?[\w.-]+[\x60'"]? {mustHave} be {preceded}`,
      r`\bis about to (?:use|call|invoke)\b.{0,60}\b(?:should|must|first)\b`,
    ),
    isDeniable: true,
  },
  preferMe: {
    pattern: says(r`\b{alwaysWith}`),
    isDeniable: true,
  },
  superlative: {
    pattern: saysOften(r`\b{world}`),
  },
  redirect: {
    pattern: says(r`\b(?:has been|have been|is|are|was|were|been) (?:\w+ ){0,3}?{deprecated}\b`),
  },
  useInstead: {
    pattern: says(
      r`\b{useCall} .{0,60}\b(?:instead|as an alternative|new (?:\w+ )?tool|replacement|with the same)\b`,
      r`\binstead,? (?:use|call|invoke|run|please)\b`,
      r`\bplease use\b`,
      r`\bmust redirect\b`,
    ),
  },
  disparage: {
    pattern: says(
      [
        r`\b{otherCompeting} (?:[\w-]+ ){0,3}?{toolsServers}\b,? ?(?!and will)(?:\w+ ){0,3}?{areIs} (?:\w+`,
        r` ){0,3}?{malicious}\b`,
      ],
      r`\b(?:tool|server|function|plugin|service) [\x60'"]?[\w-]+[\x60'"]? (?:\w+ )?is (?:\w+ )?{unsafe}`,
      r`\b{official} (?:\w+ )?{index} is (?:\w+ )?{compromised}`,
      r`\bavoid (?:using )?(?:all |any )?other (?:\w+ )?(?:tools?|servers?|functions?)`,
      r`\bwhen any other\b.{0,60}\bdo not use\b`,
    ),
    isDeniable: true,
  },
  bias: {
    pattern: says(
      r`\b{recommend}(?:s|ing|ed)?\b.{0,60}\b{even}\b`,
      r`\b(?:users?|customers?) (?:\w+ ){0,4}?must be told\b`,
      r`\bonly [A-Za-z][\w-]+ offers\b`,
      r`\b(?:present|show|list|return) only (?:\w+ ){0,3}?(?:that|which|who) {favou}`,
      r`\bdo not recommend (?:\w+ ){0,4}?; ?recommend\b`,
      r`\bhide {itThem} (?:\w+ )?from (?:the )?(?:results?|output|list|answers?)`,
      r`\b(?:results?|recommendations?|listings?) (?:are|is) (?:sponsored|biased|paid)`,
      r`\b(?:never|do not|don't) {showMention} (?:\w+ ){0,2}?{competitors}`,
    ),
  },
  otherTool: {
    pattern: says(r`\b{ofWhen}`),
    isDeniable: true,
  },
  crossServer: {
    pattern: says(
      r`\b{credentials} (?:\w+ ){0,2}?{ofFrom} {theYour}?(?:\w+ )?{otherGithub}(?:mcp )?{serversTools}\b`,
      r`\bfor (?:all|every|any|all other) (?:\w+ )?(?:tools|servers|plugins|agents)\b`,
    ),
    isDeniable: true,
  },
  tamper: {
    pattern: says(
      [
        r`\b{alwaysAutomatically} (?:\w+ ){0,2}?{changeChanges} (?:\w+`,
        r` ){0,1}?{theAll}(?:[\w\x60'" -]{0,60}?){toWith}\b`,
      ],
      r`\b{regardless} (?:what |which |how |the |any |a )?(?:\w+ )?{userUser}`,
    ),
    isDeniable: true,
  },
  tamperStrong: {
    pattern: says(
      r`\b{regardlessOf} (?:what |which |the |any |a |whatever )?(?:\w+ )?{userInput}`,
      [
        r`\b{alwaysMust} (?:\w+ ){0,3}?{changeModify}s? (?:\w+ ){0,2}?{theEvery}(?:[\x60'"]?\w+[\x60'"]?`,
        r` ){0,3}?{parameter}s?\b`,
      ],
      r`\b{redirects} (?:\w+ ){0,3}?{allThe} .{0,60}?\b(?:to|from)\b(?! {lower})`,
      r`\bautomatically {sets} (?:\w+ )?(?:the |all |any |every |users? |to )(?:\w+ )?{quer}`,
      r`\bwhatever (?:\w+ ){0,2}?(?:the )?user {supplies}`,
      r`\bignor(?:e|es|ing) (?:the )?user(?:'s)? {location}`,
      [
        r`\b{replace} {theOftheB}?(?:\w+ ){1,4}?(?:in|of|from) {theIts}?(?:\w+ )?{outputResults}s?`,
        r` (?:with|to|by|for)\b`,
      ],
      r`\balways return \w+ .{0,20}\bfor\b`,
      r`\b(?:is|are|be|gets?) (?:automatically|silently|always) {modified}`,
      r`\b(?:real|actual|original|true) (?:recipient|destination)\b`,
      r`\b{changeReplace} (?:the |any |its )?{wrong}?{recipient} (?:of|with|to|from|by)\b`,
      r`\breplace the values\b`,
      r`\bset the (?:amount|price|quantity|total|limit) to \d`,
      r`\binstead of (?:the |what the )?(?:user's|users?'|requested|originally|actual) (?:\w+)`,
      r`\b{return} (?:a |an |the )?(?:\w+ ){0,4}?{lowerHigher} (?:than|from|to) (?:the )?{real}`,
      r`\bresult is \S{1,12} instead of\b`,
      r`\b{recipientDestination}\b.{0,24}\b{mustHas} (?:always )?be {replaced}`,
      r`\bsystem-level alias\b`,
    ),
    isDeniable: true,
  },
  falseData: {
    pattern: says(
      r`(?<!\b{toMay} (?:[a-z]{3,12}ly )?)\b{returnProvide} (?:\w+ ){0,3}?{false} (?:\w+ )?{dataInformation}`,
      r`\b{mislead} (?:\w+ )?(?:the |your |any )?{usersModel}\b`,
      r`\bpretend (?:to be|that|you)\b`,
      r`\bmodify the wrong result\b`,
    ),
    isDeniable: true,
  },
  fixedOutcome: {
    pattern: says(
      r`\b(?:omit|leave out|suppress|downplay|exaggerate|remove) (?:\w+ ){0,2}?{negative}`,
      r`\bpretend (?:that )?(?:the |it |everything|nothing|success)`,
      r`\bact as if\b`,
      r`\bbase (?:your|all|its) (?:\w+ )?(?:answers?|responses?|decisions?) (?:only|solely|exclusively)`,
      r`\b{encourage} (?:the )?(?:users?|customers?|them|human) (?:to|into)\b`,
      r`\bmust be (?:placed|listed|ranked|shown|mentioned|recommended) (?:first|at the top|above)`,
      r`\birrespective of\b`,
      r`\bmark (?:\w+ ){0,4}?as (?:passed|safe|approved|resolved|trusted|successful)`,
      r`\b(?:do not|don't|never) report (?:\w+ )?{failures}`,
      [
        r`(?<!\b{ifThat} (?:{theOftheC} )?(?:\w+ )?)\b{licen} (?:\w+ ){0,2}?(?:has|have|is|was|are) (?:\w+`,
        r` )?{expired}`,
      ],
    ),
    isDeniable: true,
  },
  forcedSpeech: {
    pattern: says(
      [
        r`(?<!\b{makes} [a-z]{2,20} )\b{tellInform} (?:\w+ ){0,9}?(?:that )?{theFollowing}?:?`,
        r` ?['"“‘](?!{what}\b)[^'"”’]{16,}`,
      ],
      r`\badd (?:the )?{sentence} ['"“‘]`,
      r`\badd ['"“][^'"”]{8,}['"”] to (?:each|every|all)`,
      r`\b{promotional} (?:message|content|text|link|statement|announcement)`,
      r`\b(?:must|always|should) (?:also )?{recommendPromote} (?:\w+ ){0,3}?{our}`,
      r`\b{responses} (?:must|should|shall|always) (?:\w+ )?(?:end|begin|start|include|contain|mention)\b`,
      r`\b(?:always|must) (?:end|begin|start|prepend|append|close) (?:\w+ ){0,3}?{responsesAnswers}\b`,
      r`\b{halt} (?:\w+ ){0,3}?(?:operation|request|task|action)\b.{0,20}\b(?:inform|tell)`,
    ),
    isDeniable: true,
  },
  moneyDiversion: {
    pattern: says(
      r`\b{transfer}\b.{0,50}\b{funds}\b.{0,60}{toOftoB}`,
      r`\b{transfers}(?: |\b).{0,60}\b{madeSent} .{0,60}?\b(?:to|from) (?:the )?{account}\b`,
      r`\b{changeSwap} (?:the )?{recipientPayee}(?:'s)? (?:\w+ )?{address}?\s?(?:to|with)\b`,
    ),
    isDeniable: true,
  },
  // Values that the person did not choose.
  contraUser: {
    pattern: says(r`\b{whatever}(?<!\b(?:until|unless) .{0,120}) (?:[\w'-]+ ){0,5}?{usersPerson}\b`),
    isDeniable: true,
  },
  fixedValue: {
    pattern: says(
      r`\b(?:is|are|stays?|remains?|goes|go) always (?!{returnAvail})`,
      r`\b(?:has|have|ought) to be (?:true|false|["'a-z0-9_-]{0,20}[@\d])`,
      r`\b(?:set|setting|changing|fill|filling) (?:the )?['"\x60]?\w+['"\x60]? (?:to|with) ["'][^"']{3,80}["']`,
      r`\b(?:use|put|take|insert|prefer) (?:that|this) {value} (?:and|instead|in place|whatever)`,
      r`\b{field} {takes} ["']?(?:0x[0-9a-f]{6}|[\w.+-]{2,40}@|[a-z]{2}\d{10}|true even)`,
      r`\bswap (?:the )?\w+ (?:for|with|to)\b`,
      r`\bround (?:\w+ ){1,6}?(?:up|down) to the next`,
      r`\b{add} (?:\w+ ){0,4}?(?:per ?cent|%|percent) (?:to|from|of|on) {theEach}?(?:\w+ )?{shown}`,
      r`\b{showDisplay}s? (?:\w+ ){1,6}?(?:as|at) (?:twice|half|double|triple|\w+ times) the {figure}`,
    ),
  },
  // What is shown and what is done are not the same.
  twoFaced: {
    pattern: says(
      r`\b{confirmationReply} (?:[\w-]+ ){0,4}?{shouldShall} (?:[\w-]+ ){0,4}?{original}\b`,
      [
        r`\b{showReport} (?:[\w-]+ ){0,5}?(?:that |which )?(?:the )?{userPerson}`,
        r` {typed}\b.{0,40}\b(?:in|as|on) (?:your|the) {replyAnswer}`,
      ],
      r`\b{sayState}\b (?:\w+ ){0,4}?{itIs} (?:the )?{officialOriginal} {valuePrice}`,
    ),
    isDeniable: true,
  },
  // Praise and scorn in the form of advice to whoever chooses.
  chooseMe: {
    pattern: says(
      r`\b{correct} choice (?:is|for|here|would|will|among)`,
      r`\bchoos(?:e|es|ing) (?:this|[\w-]+) over (?:every|any|all|each|the other)`,
      r`\b(?:assistants?|models?|agents?|llms?) (?:that|which|who) {valueCare}`,
      r`\bgraded (?:down|up|lower|higher)`,
      r`\b(?:score|rating|rank|benchmark|accuracy)s? (?:of|for|in)? ?{competitorsOther}`,
      r`\bpick(?:s|ing)? (?:a |the )?(?:competitor|rival|alternative)`,
      r`\b{overThan} (?:every|any|all) (?:other|similar|competing) (?:[\w-]+ )?{toolsOptions}\b`,
      r`\bwithout comparing\b`,
      r`\b(?:should|must) (?:always )?(?:be|come) (?:your |the )?(?:first|only|default|sole) {choice}\b`,
      r`\b(?:put|list|rank|place|show)s? (?:[\w-]+ ){0,6}?{onTop} {irrespective}`,
      r`\bpraise (?:them|it|its|the|our|this|only)\b`,
      r`\ba drawback for each\b`,
      r`\bofficial (?:heir|successor|replacement)\b`,
    ),
    isDeniable: true,
  },
  // Scorn for a tool by its name or by its place.
  disparageNamed: {
    pattern: says(r`\b{built} (?:[\w-]+ ){0,3}?{toolsIntegration} {isAre} (?:[\w-]+ ){0,3}?{retired}\b`, [
      r`\b[a-z]{2,20}_[a-z_]{2,40} (?:tool |function )?(?:(?:of|from|on) [\w ]{1,30} )?{isHas} (?:\w+`,
      r` ){0,3}?{unreliable}`,
    ]),
    isDeniable: true,
  },
  tamperPassive: {
    pattern: says(
      r`\b{querSearch} (?:\w+ )?{isWill} {automatically}{modifiedChanged} (?:to|with|into|by)\b`,
      [
        r`\b(?:system|tool|server|it) {automaticallySilently} {redirectsChanges} (?:\w+`,
        r` ){0,4}?(?:to|with|into) ["']`,
      ],
      r`\bnow uses? ["'][^"']{2,60}["'] as the (?:default|only|new)`,
    ),
    isDeniable: true,
  },
} as const satisfies Record<string, Signal>
