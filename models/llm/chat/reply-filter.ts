// The part of a model's text that is for the caller. Models that think aloud, and servers without a parser for their
// model's template, put thoughts, tool calls and the template's own tokens into the text of a reply; none of it may
// be spoken. The filter reads the stream as it comes: a marker may be cut anywhere by the border of two chunks.
import type { ToolDefinition } from '../llm.ts';
import { callsInText, type TextCall } from './text-calls.ts';

type Kind = 'thought' | 'call' | 'header';

interface Block {
  open: string;
  kind: Kind;
  /** The marks that end it; the first to come counts. */
  close: readonly string[];
}

const thought = (open: string, ...close: string[]): Block => ({ open, kind: 'thought', close });
const call = (open: string, ...close: string[]): Block => ({ open, kind: 'call', close });

/** Marks in small letters: models write them as their template has them, and some in capitals. */
const BLOCKS: readonly Block[] = [
  thought('<think>', '</think>'),
  thought('<thinking>', '</thinking>'),
  thought('<thought>', '</thought>'),
  thought('<thoughts>', '</thoughts>'),
  thought('<reasoning>', '</reasoning>'),
  thought('<reflection>', '</reflection>'),
  thought('<scratchpad>', '</scratchpad>'),
  thought('<seed:think>', '</seed:think>'),
  thought('<|begin_of_thought|>', '<|end_of_thought|>'),
  thought('[think]', '[/think]'),
  thought('◁think▷', '◁/think▷'),
  call('<tool_call>', '</tool_call>'),
  call('<tool_calls>', '</tool_calls>'),
  call('<function_call>', '</function_call>'),
  call('<function_calls>', '</function_calls>'),
  call('<function=', '</function>', '</tool_call>'),
  call('<invoke', '</invoke>'),
  call('<|tool_calls_section_begin|>', '<|tool_calls_section_end|>'),
  call('<|tool_call_begin|>', '<|tool_call_end|>'),
  call('<|tool_call|>', '<|/tool_call|>', '<|end|>'),
  call('<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'),
  call('<|python_tag|>', '<|eom_id|>', '<|eot_id|>'),
  call('[tool_calls]', '</s>'),
  // OpenAI's harmony: a header up to the message, and what the header says of it.
  { open: '<|channel|>', kind: 'header', close: ['<|message|>'] },
  { open: '<|start|>', kind: 'header', close: ['<|message|>'] },
];
/** In harmony a message ends with any of these. */
const MESSAGE_ENDS = ['<|end|>', '<|return|>', '<|call|>'] as const;
const CLOSING_THOUGHTS = BLOCKS.filter(({ kind }) => kind === 'thought').flatMap(({ close }) => close);
/** Tokens of templates, and brackets of tools that nobody opened. */
const TOKENS: readonly string[] = [
  ...['<s>', '</s>', '<bos>', '<eos>', '<pad>', '<unk>', '<start_of_turn>', '<end_of_turn>', '[inst]', '[/inst]'],
  ...BLOCKS.filter(({ kind }) => kind === 'call').flatMap(({ close }) => close),
];
/** `<|im_end|>` and its kind, also with the wide bars of DeepSeek. */
const SPECIAL = /^<[|｜][^<>|｜]{0,40}[|｜]>/;
const SPECIAL_BEGUN = /^<[|｜][^<>|｜]{0,40}[|｜]?$/;
/** The name of a role that stands behind a token of its template. */
const ROLE = /^(?:assistant|model|user|system|tool)\b:?\s*/;
const ROLE_BEGUN = /^[a-z]{1,9}:?$/;
/** A reply of JSON, with or without a fence, or the beginning of the fence. */
const JSON_BEGUN = /^\s*(?:`{1,3}(?:j|js|jso|json)?\s*$|(?:```(?:json)?\s*)?[[{])/;
const FIRST_CHARS = /[<[◁]/;
const LONGEST_MARK = 44;
/** A block that does not end. */
const MAX_BLOCK_CHARS = 16_000;
const MAX_THOUGHT_CHARS = 200_000;

/**
 * How replies begin whose thoughts have no opening mark: about the caller in the third person. Such a beginning is held
 * until the closing mark comes, or until the reply ends without one and was none.
 */
const THINKS =
  /^\W*(?:(?:okay|ok|alright|all right|hmm+|so|well|right|now|first|let me see|wait)[\s,.:]+){0,4}(?:(?:the|this|our) (?:user|caller|customer|person|client)\b|we (?:need to|should|have to|must)\b|let'?s (?:think|see)\b|let me think\b)/i;
const OPENERS: readonly string[] = [
  ...[
    'okay',
    'ok',
    'alright',
    'all',
    'right',
    'hmm',
    'so',
    'well',
    'now',
    'first',
    'let',
    "let's",
    'me',
    'see',
    'wait',
  ],
  ...['the', 'this', 'our', 'user', 'caller', 'customer', 'person', 'client', 'we', 'need', 'should', 'have'],
];
const MAX_OPENERS = 7;

/** Whether the text, which may stop within a word, can go on to be such a beginning. */
function mayThink(text: string): boolean {
  if (!/^[a-z'\s,.:]*$/i.test(text)) return false;
  const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
  const isOpen = /[a-z']$/i.test(text);
  return (
    words.length <= MAX_OPENERS &&
    words.every((word, n) =>
      isOpen && n === words.length - 1 ? OPENERS.some((opener) => opener.startsWith(word)) : OPENERS.includes(word),
    )
  );
}

/** Harmony without its tokens, as some servers decode it: `analysisThe caller …assistantfinalSure.` */
const BARE_ANALYSIS = /^\s*analysis(?=[A-Z\s])/;
const BARE_FINAL = /assistant\s*(?:final|commentary)(?=\S)/;

interface FilterOptions {
  tools?: readonly ToolDefinition[];
  /** Replies of this model have begun with thoughts without an opening mark. */
  thinksFirst?: boolean;
  /** False: somebody reads it, and may have asked for JSON. */
  isSpoken?: boolean;
}

export class ReplyFilter {
  readonly #tools: readonly ToolDefinition[];
  readonly #thinksFirst: boolean;
  readonly #isSpoken: boolean;
  readonly #calls: TextCall[] = [];
  /** Not read yet: it may go on to be a mark. */
  #rest = '';
  #block: (Block & { text: string }) | null = null;
  /** Text that may prove to be thoughts; null: what comes is for the caller. */
  #held: string | null = '';
  #isBare = false;
  #hasSpoken = false;
  #hasThoughts = false;
  /** The last token was one of a template, after which the name of a role may stand. */
  #afterToken = false;

  constructor({ tools = [], thinksFirst = false, isSpoken = true }: FilterOptions = {}) {
    this.#tools = tools;
    this.#thinksFirst = thinksFirst;
    this.#isSpoken = isSpoken;
  }

  /** The calls of tools that stood in the text, so far. */
  get calls(): readonly TextCall[] {
    return this.#calls;
  }

  /** The reply closed thoughts that it had not opened. */
  get hasThoughts(): boolean {
    return this.#hasThoughts;
  }

  /** @returns what of the text so far is for the caller and was not returned before */
  take(text: string): string {
    this.#rest += text;
    return this.#heard(this.#read(false));
  }

  /** No text follows. @returns what is left for the caller */
  end(): string {
    let said = this.#heard(this.#read(true));
    if (this.#block !== null) this.#close();
    if (this.#held !== null && this.#held !== '' && !this.#isBare) {
      said += this.#withoutBareCall(this.#held);
      this.#held = null;
    }
    return this.#hasSpoken ? said : said.trimStart();
  }

  #read(isEnd: boolean): string {
    let said = '';
    for (;;) {
      if (this.#block !== null) {
        if (!this.#readBlock(this.#block, isEnd)) return said;
        continue;
      }
      const at = this.#rest.search(FIRST_CHARS);
      const plain = at < 0 ? this.#rest : this.#rest.slice(0, at);
      if (plain !== '') {
        // The name of the role may still go on.
        if (this.#afterToken && at < 0 && !isEnd && ROLE_BEGUN.test(plain)) return said;
        said += this.#afterToken ? plain.replace(ROLE, '') : plain;
        this.#afterToken = false;
      }
      this.#rest = at < 0 ? '' : this.#rest.slice(at);
      if (this.#rest === '') return said;
      const mark = this.#mark();
      if (mark === 'unclear' && !isEnd) return said;
      if (mark === 'unclear' || mark === null) {
        said += this.#rest[0];
        this.#rest = this.#rest.slice(1);
      } else if (typeof mark === 'string') {
        this.#rest = this.#rest.slice(mark.length);
        this.#afterToken = true;
        if (CLOSING_THOUGHTS.includes(mark.toLowerCase())) {
          // Whatever came before it was thought.
          this.#hasThoughts = true;
          this.#held = null;
          said = '';
        }
      } else {
        this.#block = { ...mark, text: '' };
        this.#rest = this.#rest.slice(mark.open.length);
      }
    }
  }

  /** The mark that the rest begins with, which is a block's or one to leave out; `unclear`: it may become one. */
  #mark(): Block | string | 'unclear' | null {
    const begun = this.#rest.slice(0, LONGEST_MARK).toLowerCase();
    const block = BLOCKS.find(({ open }) => begun.startsWith(open));
    if (block !== undefined) return block;
    const [special] = SPECIAL.exec(this.#rest) ?? [];
    const token = [...CLOSING_THOUGHTS, ...TOKENS].find((each) => begun.startsWith(each));
    if (token !== undefined) return this.#rest.slice(0, token.length);
    if (special !== undefined) return special;
    const all = [...BLOCKS.map(({ open }) => open), ...CLOSING_THOUGHTS, ...TOKENS];
    const mayBecome = all.some((each) => each.startsWith(begun)) || SPECIAL_BEGUN.test(this.#rest);
    return mayBecome ? 'unclear' : null;
  }

  /** @returns whether the block has ended */
  #readBlock(block: Block & { text: string }, isEnd: boolean): boolean {
    const small = this.#rest.toLowerCase();
    const ends = block.close.flatMap((close) => {
      const at = small.indexOf(close);
      return at < 0 ? [] : [{ at, length: close.length }];
    });
    const [first] = ends.toSorted((a, b) => a.at - b.at);
    if (first === undefined) {
      // The end mark may have begun.
      const kept = isEnd ? 0 : Math.min(this.#rest.length, LONGEST_MARK);
      this.#keep(block, this.#rest.slice(0, this.#rest.length - kept));
      this.#rest = this.#rest.slice(this.#rest.length - kept);
      return false;
    }
    this.#keep(block, this.#rest.slice(0, first.at));
    this.#rest = this.#rest.slice(first.at + first.length);
    this.#close();
    return true;
  }

  #keep(block: Block & { text: string }, text: string): void {
    if (block.kind === 'thought') return;
    block.text = (block.text + text).slice(0, MAX_BLOCK_CHARS);
  }

  #close(): void {
    const block = this.#block;
    this.#block = null;
    this.#afterToken = false;
    if (block === null || block.kind === 'thought') return;
    if (block.kind === 'call') {
      const opening = block.open.startsWith('<function=') || block.open === '<invoke' ? block.open : '';
      this.#calls.push(...callsInText(`${opening}${block.text}`, this.#tools));
      return;
    }
    const to = /\bto=(?:functions\.)?([\w.-]{1,64})/.exec(block.text)?.[1];
    if (to !== undefined) this.#block = { ...call(`to=${to} `, ...MESSAGE_ENDS), text: `to=${to} ` };
    else if (/\banalysis\b|\bcommentary\b/.test(block.text))
      this.#block = { ...thought('', ...MESSAGE_ENDS), text: '' };
  }

  /** Holds what may be thoughts back. */
  #heard(said: string): string {
    if (this.#held === null) return this.#first(said);
    this.#held = (this.#held + said).slice(0, MAX_THOUGHT_CHARS);
    if (this.#isBare || BARE_ANALYSIS.test(this.#held)) {
      this.#isBare = true;
      const final = BARE_FINAL.exec(this.#held);
      if (final === null) return '';
      this.#isBare = false;
      return this.#release(this.#held.slice(final.index + final[0].length));
    }
    if (this.#thinksFirst || THINKS.test(this.#held) || mayThink(this.#held)) return '';
    if (JSON_BEGUN.test(this.#held) || 'analysis'.startsWith(this.#held.trimStart())) return '';
    return this.#release(this.#held);
  }

  #release(text: string): string {
    this.#held = null;
    return this.#first(text);
  }

  #first(text: string): string {
    const said = this.#hasSpoken ? text : text.trimStart();
    this.#hasSpoken ||= said !== '';
    return said;
  }

  /** A reply that is nothing but JSON is a call, or nothing that anybody could say. */
  #withoutBareCall(text: string): string {
    if (!this.#isSpoken || !JSON_BEGUN.test(text)) return text;
    const calls = callsInText(text, this.#tools);
    this.#calls.push(...calls);
    return calls.length > 0 || isJson(text) ? '' : text;
  }
}

/** Of a text that is whole: what is for people. */
export function withoutThoughts(text: string): string {
  const filter = new ReplyFilter({ isSpoken: false });
  return filter.take(text) + filter.end();
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\s*```(?:json)?/, '').replace(/```\s*$/, ''));
    return true;
  } catch {
    return false;
  }
}
