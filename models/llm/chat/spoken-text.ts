// Takes out of a model's stream of text whatever is not for a caller's ears: thoughts, calls of tools written as text,
// and marks of chat templates. Servers that do not know a model's format hand these on as content, cut anywhere.
//
// The text is scanned once, from left to right: what may still become a mark is held back until it is one or is not.
import { OpeningThoughts } from './opening-thoughts.ts';

/** A mark longer than this is none. */
const MARK_CHARS_MAX = 64;
/** Longest call that is kept as text; what is longer is dropped. */
const CALL_CHARS_MAX = 16_000;

const THOUGHT_NAMES = 'seed:think|think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis';
const CALL_NAMES =
  'tool_call|tool_calls|tool_use|function_call|function_calls|function|invoke|tools|start_function_call';
const PAIRED = new RegExp(`^<(/?)(${THOUGHT_NAMES}|${CALL_NAMES})(?:[= ][^<>]{0,48})?>$`, 'i');
const SQUARE = /^\[(\/?)(THINK|TOOL_CALLS|INST|AVAILABLE_TOOLS|TOOL_RESULTS)\]$/;
/** Kimi's. */
const TRIANGLES = /^◁(\/?)(think)▷$/;
const TOKEN = /^(?:<[|｜]([^<>|｜]{1,48})[|｜]>|<\/?(s|bos|eos|start_of_turn|end_of_turn|unk|pad)>)$/;
/** The model has finished; some go on with a turn of the caller's, of their own making. */
const ENDS = /^(im_end|eot_id|eom_id|end_of_turn|eos|endoftext|return|end▁of▁sentence|end_of_text)$/i;
const IS_THOUGHT = new RegExp(`^(${THOUGHT_NAMES})$`, 'i');
/** The beginning of a call as bare JSON. */
const JSON_CALL = /^\{\s*"(name|function|tool|tool_name|tool_calls|arguments|parameters|type)"$/;
const JSON_CALL_BEGUN = /^\{\s*("[a-z_]*)?$/;

type Mode =
  | { in: 'speech' }
  | { in: 'thought' | 'call'; until: RegExp; raw: string }
  /** A role or a channel, up to the mark that ends it. */
  | { in: 'header'; until: RegExp; raw: string };

const SPEECH: Mode = { in: 'speech' };
const HARMONY_END = /^<\|(end|start|channel|return|call)\|>$/;

interface SpokenTextOptions {
  /** The model is known to think before a lone end mark: nothing is spoken before it. */
  startsInThought: boolean;
  /** JSON is what was asked for, and no call of a tool. */
  keepsJson?: boolean;
}

export class SpokenText {
  readonly #keepsJson: boolean;
  /** Calls of tools as they were written. */
  readonly calls: string[] = [];
  /** Something was taken for a call, whether or not it can be used. */
  sawCall = false;
  /** A thought ended that had not begun: the next reply may begin in one, too. */
  sawLoneEnd = false;
  #mode: Mode = SPEECH;
  #held = '';
  #hasSpoken = false;
  #isOver = false;
  readonly #opening: OpeningThoughts;

  constructor({ startsInThought, keepsJson = false }: SpokenTextOptions) {
    this.#keepsJson = keepsJson;
    this.#opening = new OpeningThoughts(startsInThought);
  }

  /** The words that may be spoken now. */
  push(text: string): string {
    if (this.#isOver) return '';
    let speech = '';
    for (const piece of pieces(this.#held + text)) {
      if (piece.isOpen && piece === piece.last) {
        this.#held = piece.text;
        return this.#tell(speech);
      }
      speech = this.#take(piece.text, speech);
      if (this.#isOver) break;
    }
    this.#held = '';
    return this.#tell(speech);
  }

  /** The last words, once the stream has ended. */
  finish(): string {
    const speech = this.#isOver ? '' : this.#take(this.#held, '', true);
    this.#held = '';
    if (this.#mode.in === 'call') this.#keepCall(this.#mode.raw);
    const told = this.#tell(speech);
    return told + this.#first(this.#opening.end());
  }

  #tell(speech: string): string {
    return this.#first(speech === '' ? '' : this.#opening.take(speech));
  }

  #first(speech: string): string {
    const text = this.#hasSpoken ? speech : speech.trimStart();
    this.#hasSpoken ||= text !== '';
    return text;
  }

  /** One mark, or text without any; returns what is to be spoken so far. */
  #take(piece: string, speech: string, isLast = false): string {
    const mode = this.#mode;
    if (mode.in !== 'speech') {
      if (mode.in === 'header' && mode.raw.startsWith('role:') && /[\n\r]/.test(piece)) {
        const at = piece.search(/[\n\r]/);
        this.#mode = SPEECH;
        this.#header(mode.raw + piece.slice(0, at), speech);
        return this.#isOver ? speech : this.#take(piece.slice(at), speech, isLast);
      }
      if (!mode.until.test(piece)) {
        if (mode.raw.length < CALL_CHARS_MAX) mode.raw += piece;
        return speech;
      }
      this.#mode = SPEECH;
      if (mode.in === 'call') this.#keepCall(mode.raw);
      if (mode.in === 'header') return this.#header(mode.raw, speech);
      // The end of one part of harmony's is the beginning of the next.
      return HARMONY_END.test(piece) ? this.#take(piece, speech) : speech;
    }
    const paired = PAIRED.exec(piece) ?? SQUARE.exec(piece) ?? TRIANGLES.exec(piece);
    if (paired !== null) return this.#paired(piece, paired, speech);
    const token = TOKEN.exec(piece);
    if (token !== null) return this.#token(token[1] ?? token[2] ?? '', piece, speech);
    if (!this.#keepsJson && (piece.startsWith('```') || /^\[\s*$/.test(piece))) return speech;
    if (!this.#keepsJson && JSON_CALL.test(piece)) {
      this.#mode = { in: 'call', until: /^$/, raw: piece };
      return speech;
    }
    return isLast && MAY_BE_MARK.test(piece) && piece.length > 1 && !piece.startsWith('{') ? speech : speech + piece;
  }

  #paired(piece: string, [, slash, name = '']: RegExpExecArray, speech: string): string {
    if (slash === '/') {
      if (!IS_THOUGHT.test(name)) return speech;
      this.sawLoneEnd = true;
      this.#opening.drop();
      return '';
    }
    const isThought = IS_THOUGHT.test(name);
    if (isThought) this.#opening.drop();
    if (/^(INST|AVAILABLE_TOOLS|TOOL_RESULTS)$/.test(name)) return speech;
    this.#mode = { in: isThought ? 'thought' : 'call', until: endOf(piece, name), raw: isThought ? '' : piece };
    return speech;
  }

  #token(name: string, piece: string, speech: string): string {
    const plain = name.replaceAll('▁', '_').toLowerCase();
    if (piece === '</s>' || ENDS.test(name) || ENDS.test(plain)) {
      this.#isOver = speech !== '' || this.#hasSpoken || this.calls.length > 0;
      return speech;
    }
    if (/^(user|human)$/.test(plain)) this.#isOver = true;
    else if (plain === 'im_start') this.#mode = { in: 'header', until: /^<\|im_sep\|>$/, raw: 'role:' };
    else if (plain === 'channel' || plain === 'start') this.#mode = { in: 'header', until: /^<\|message\|>$/, raw: '' };
    else if (plain === 'start_header_id') this.#mode = { in: 'header', until: /^<\|end_header_id\|>$/, raw: 'role:' };
    else if (plain === 'begin_of_thought') this.#mode = { in: 'thought', until: /^<\|end_of_thought\|>$/, raw: '' };
    else if (/^(python_tag|tool_call|tool_calls_begin|tool_calls_section_begin|tool_call_start)$/.test(plain))
      this.#mode = {
        in: 'call',
        until: /^<[|｜]\/?(tool_call|tool▁calls▁end|tool_calls_section_end|tool_call_end|eom_id|eot_id)[|｜]>$/,
        raw: '',
      };
    return speech;
  }

  /** A channel of harmony's, or a role, decides for whom its text is. */
  #header(raw: string, speech: string): string {
    if (raw.startsWith('role:')) {
      this.#isOver = /user|caller/.test(raw);
      return speech;
    }
    const recipient = /\bto=(?:functions\.)?([\w.-]{1,64})/.exec(raw)?.[1];
    if (recipient !== undefined) this.#mode = { in: 'call', until: HARMONY_END, raw: `${recipient} ` };
    else if (/analysis/.test(raw)) this.#mode = { in: 'thought', until: HARMONY_END, raw: '' };
    return speech;
  }

  #keepCall(raw: string): void {
    this.sawCall = true;
    this.#mode = SPEECH;
    if (raw.length < CALL_CHARS_MAX) this.calls.push(raw);
  }
}

/** The mark that ends what this mark begins. */
function endOf(mark: string, name: string): RegExp {
  if (mark.startsWith('◁')) return /^◁\/think▷$/;
  if (mark.startsWith('[')) return name === 'TOOL_CALLS' ? /^<\/s>$/ : /^\[\/THINK\]$/;
  return new RegExp(`^</${name === 'start_function_call' ? 'end_function_call' : name}>$`, 'i');
}

/** The end of a text that may go on as a mark. */
const MAY_BE_MARK = /^(?:◁[^▷]{0,8}|<(?:[|｜/A-Za-z][^<>\s=]*(?:[= ][^<>]*)?)?|\[\/?[A-Z_]*|`{1,3}[a-z_]*)$/;

interface Piece {
  text: string;
  /** It may become a mark. */
  isOpen: boolean;
  last: Piece | null;
}

/** Cuts a text into marks and the words between them. */
function* pieces(text: string): Iterable<Piece> {
  const open = (piece: string): Piece => {
    const made: Piece = { text: piece, isOpen: true, last: null };
    made.last = made;
    return made;
  };
  const whole = (piece: string): Piece => ({ text: piece, isOpen: false, last: null });
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const begins = text[at];
    if (begins === undefined || !'<[{`◁'.includes(begins)) continue;
    if (at > from) yield whole(text.slice(from, at));
    from = at;
    const reach = text.slice(at, at + MARK_CHARS_MAX);
    const mark = markIn(reach, begins);
    if (mark !== undefined) {
      yield whole(mark);
      from = at + mark.length;
      at = from - 1;
      continue;
    }
    const mayGrow = reach.length < MARK_CHARS_MAX;
    if (mayGrow && (begins === '{' ? JSON_CALL_BEGUN.test(reach) : MAY_BE_MARK.test(reach))) {
      yield open(text.slice(at));
      return;
    }
  }
  if (from < text.length) yield whole(text.slice(from));
}

function markIn(reach: string, begins: string): string | undefined {
  if (begins === '{') return /^\{\s*"[a-z_]+"/.exec(reach)?.[0];
  if (begins === '`') return /^```[a-z_]*(?=[^a-z_`])/.exec(reach)?.[0];
  if (begins === '[' && /^\[\s*\{/.test(reach)) return '[';
  const end = reach.indexOf(begins === '<' ? '>' : begins === '◁' ? '▷' : ']');
  return end < 0 ? undefined : reach.slice(0, end + 1);
}
