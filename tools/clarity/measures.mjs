// What tools/clarity counts: markers of translated English, test titles without a subject, and functions that are not named by a
// verb. docs/contributing/style.md says what to write instead.

/** Each marker is good English somewhere; many of them in one text are not. */
const markers = [
  /\b(?:is|are) none\b/gi,
  /\bas (?:it is|they are)\b/gi,
  /\bwhatever\b/gi,
  /\bany more\b/gi,
  /\bso (?:many|much|long)\b/gi,
  /\b(?:of|in|by|from|with|for|to|at) (?:which|whom|whose)\b/gi,
  /\bno more\b/gi,
  /\blook(?:s|ed) at\b/gi,
  /\b(?:is said|says no)\b/gi,
  /\bfor good\b/gi,
  /\bthe one (?:before|after)\b/gi,
  /\bhanded (?:on|over)\b/gi,
  /\bbeside\b/gi,
  /\ball the same\b/gi,
  /\bsigns? on\b/gi,
  /\ball (?:there|that) is\b/gi,
  /\bnor\b/gi,
  /\bin its (?:turn|time|place)\b/gi,
  /\b(?:is|are) to be\b/gi,
  /\b(?:made|makes) of\b/gi,
  /\bothers (?:are|have)\b/gi,
  /\bof (?:its|their) own\b/gi,
  /(?:^|\s)(?:\/\/|\/\*\*?|\*|<!--) (?:What|Who)\b/gm,
];

/** Markers in a text, as `{ line, found }`. Code inside Markdown is not prose. */
export function findMarkers(text, { isMarkdown = false } = {}) {
  const prose = isMarkdown ? text.replaceAll(/^```.*?^```|`[^`\n]*`/gms, blank) : text;
  return markers
    .flatMap((marker) =>
      [...prose.matchAll(marker)].map((match) => ({ line: lineAt(prose, match), found: match[0].trim() })),
    )
    .toSorted((one, other) => one.line - other.line);
}

/** Titles that begin so have a verb and no subject: "is none with %s", "of a job", "never writes twice". */
const withoutSubject = [
  /^(?:is|are|was|were|has|have|had|does|do|did|can|cannot|could|may|might|must|should|will|would|never|permanently|still|neither|becomes?|whose|that)\b/,
  /^(?:of|in|for|with|without|within|on|at(?! (?:least|most))|by|from|to|after|before|during|under|over|when|while|if|unless|because|although|as|and|once)\b(?!.*, (?!and\b|or\b|but\b|which\b))/,
  /^(?:abandon|abort|accept|account|acknowledge|add|allocate|allow|append|appl[iy]|ask|assign|assume|begin|belong|bind|bring|build|captur|carr[iy]|choos|clear|clos|collect|come|commit|compil|complet|comput|connect|contain|continu|convert|creat|cross|decid|decod|delet|deliver|depend|deriv|describ|detect|disabl|distinguish|divid|drain|draw|drop|emit|enabl|encod|escap|exit|explain|fail|fenc|fetch|fill|find|finish|fit|follow|forget|forward|get|giv|go|grant|guarante|hear|hid|hold|ignor|includ|infer|inflat|insert|install|invok|join|keep|know|leav|let|listen|load|los|make|mean|measur|merg|miss|mov|need|notice|notif[iy]|observ|offer|omit|open|parse|permit|prefer|print|produc|publish|put|reach|read|rebuild|recogni[sz]|reconnect|register|refus|reject|releas|reload|remember|remov|renew|replac|report|requir|reread|reserv|reset|resolv|restart|restor|restrict|resum|return|revok|run|sa[vy]|schedul|see|select|send|serv|set|settl|shorten|show|shut|skip|sleep|sort|speak|split|spread|stamp|start|stay|stop|store|stream|succeed|suggest|surviv|suspect|tak|tell|throw|tr[iy]|treat|trim|truncat|trust|tunnel|understand|unescap|unpack|upgrad|us|validat|verif[iy]|wait|wak|warn|want|withdraw|work|writ)(?:e?s|ies)[,:]? (?!(?:are|have|can|may|must|do)\b)/,
  /^(?:abandon|accept|answer|ask|become|begin|close|come|continue|count|drop|end|exist|fail|follow|get|give|go|hide|hold|ignore|keep|leave|lose|make|measure|merge|move|need|offer|pass|read|refuse|reject|require|send|show|start|stay|stop|survive|take|use|wait|want|write) (?:an?|the|its?|their|them|no|all|every|each|as|at|for|until|when|with|without|only|one|two|in|on|to|after|before|by|from|nothing)\b/,
  // Seldom nouns: "answers of a proxy are ..." has a subject.
  /^(?:answer|arriv|balanc|call|cancel|chang|check|compar|copie|copy|cost|count|cut|end|exist|export|flush|free|hand|heed|judg|limit|list|log|look|map|name|nest|pack|pass|paus|ping|protect|quot|repeat|rest|round|scal|shar|sign|spend|stand|swap|turn|watch)(?:e?s)[,:]? (?!(?:of|are|were|have|can|may|must|do|that|which|whose|from|between|arrive|become|belong|come|differ|end|fail|follow|get|go|hold|keep|lose|match|need|pass|reach|refer|remain|share|start|stay|stop|survive|take|use|wait)\b)/,
  // Often nouns: "groups the rows by key" has none.
  /^(?:bound|default|document|file|group|hint|key|lead|line|link|mark|mask|order|place|point|queue|record|request|retri|rule|shape|sink|state|test|time|view|window)(?:e?s)[,:]? (?=(?:an?|the|its?|their|them|this|these|those|every|each|all|any|some|no|one|two|three|both|only|what|which|how|where|when|whether|nothing|everything|until|as|again|up|out|not)\b|["'`%$<{\d])/,
];

/** Titles of tests that have no subject, as `{ line, found }`. Titles that are computed cannot be judged. */
export function findTitles(text) {
  return testTitles(text).filter(({ found }) => withoutSubject.some((pattern) => pattern.test(found)));
}

/** Titles of all calls of `it` and `test`, also after `.each(...)`. */
function testTitles(text) {
  return [...text.matchAll(/(?<![\w.'"`-])(?:it|test)(?:\.\w+)*(?=[(`])/g)].flatMap((match) => {
    let at = match.index + match[0].length;
    if (/\.(?:each|for|runIf|skipIf)$/.test(match[0])) at = endOfCall(text, at);
    if (text.startsWith('.each(', at) || text.startsWith('.for(', at))
      at = endOfCall(text, text.indexOf('(', at));
    const title = /^\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1\s*,/.exec(text.slice(at, at + 1000))?.[2];
    return title === undefined ? [] : [{ line: lineAt(text, match), found: title }];
  });
}

/** Offset after the bracket that closes the call whose arguments begin at `at`, or after its template. */
function endOfCall(text, at) {
  const token = /(['"`])(?:\\.|(?!\1)[^\\])*\1|\/\/.*|[()[\]{}]/g;
  token.lastIndex = at;
  for (let depth = 0; ; ) {
    const match = token.exec(text);
    if (match === null) return text.length;
    if ('([{'.includes(match[0])) depth += 1;
    if (')]}'.includes(match[0])) depth -= 1;
    if (depth === 0) return token.lastIndex;
  }
}

/** Declarations of functions, of constants that are functions, and of methods, as the formatter writes them. */
const functions = [
  /^\s*(?:export )?(?:default )?(?:async )?function\*? (?<name>\w+)/gm,
  /^\s*(?:export )?const (?<name>\w+)(?:: [^=\n]+)? = (?:async )?(?:\((?:[^()]|\([^()]*\))*\)(?:: [^=\n]+)? =>|\w+ =>|<.*\(|function\b)/gm,
  /^( +)(?:(?:private|protected|public|static|override|async) )*\*?#?(?<name>\w+)(?:<.*>)?\((?:.*\)|\n(?:\1 .*\n)*\1\))(?:: .+)? \{$/gm,
];
/** Verbs that look like participles, and words before a bracket that begin no method. */
const verbs =
  /^(?:bleed|breed|embed|exceed|feed|heed|need|proceed|seed|shed|speed|succeed|wed|weed|enable|disable|table|variable|catch|for|if|switch|while)$/;
const notVerbs =
  /^(?:[a-z]+(?:ed|able|ible)|un(?:fit|seen|known|read|sent|written)|bound|broken|brought|built|caught|chosen|done|drawn|forbidden|found|given|gone|grown|heard|held|hidden|kept|known|left|lost|made|met|paid|said|seen|sent|shown|spent|taken|thrown|understood|written|alike|alive|alone|bad|bare|busy|dead|different|due|empty|equal|fit|foreign|free|full|good|idle|invalid|late|missing|near|new|odd|old|other|own|plain|ready|right|same|sound|stale|such|tight|true|usual|valid|whole|wide|wrong)$/;

/** Functions whose name is one participle or adjective, which describes their result: `answered`, `wrong`. */
export function findNames(text) {
  return functions
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .filter(({ groups: { name } }) => notVerbs.test(name) && !verbs.test(name))
    .map((match) => ({ line: lineAt(text, match), found: match.groups.name }));
}

function lineAt(text, { index, 0: match }) {
  return text.slice(0, index + match.length - match.trimStart().length).split('\n').length;
}

function blank(code) {
  return code.replaceAll(/[^\n]/g, ' ');
}
