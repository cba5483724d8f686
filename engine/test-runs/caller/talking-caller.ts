// A simulated caller with its mind: hears the agent's words from the call's own record, and speaks when the agent has
// fallen silent. Waits are drawn from the seed, so that the same case is paced the same.
import type { SimulationDefinition } from '../../../db/domain/tests/definitions.ts';
import type { Clock } from '../../clock.ts';
import { type MindState, NEW_MIND, type NextStep, nextStep } from './caller-mind.ts';
import type { CallerNews, CallerPlan, CallerReport, OwnVoice } from './caller-plan.ts';
import type { ModelMind } from './model-mind.ts';
import { seededRandom } from './seeded-random.ts';
import { SimulatedCaller } from './simulated-caller.ts';

/** From the agent's silence to the caller's first word: as people do. */
const WAIT_MS = [300, 900] as const;
/** A clause may follow: the reply is over when nothing has come for so long. */
const QUIET_MS = 700;
/** The agent says nothing at all. */
const SILENCE_MS = 20_000;
/** Into the agent's reply, where the case has a caller who interrupts. */
const INTERRUPT_AFTER_MS = 900;

interface TalkingCallerOptions {
  clips?: ReadonlyMap<number, OwnVoice>;
  /** Decides in place of the rules. */
  model?: ModelMind | null;
}

export class TalkingCaller {
  readonly #plan: CallerPlan;
  readonly #wish: SimulationDefinition['caller'];
  readonly #clock: Clock;
  readonly #clips: ReadonlyMap<number, OwnVoice>;
  readonly #body: SimulatedCaller;
  readonly #random: () => number;
  #mind: MindState = NEW_MIND;
  #heard: string[] = [];
  #isAgentSpeaking = false;
  #isSpeaking = false;
  #sentences = 0;
  /** Waits for silence, or gives up. */
  #cancelWait = (): void => undefined;
  #missed: string | null = null;
  readonly #model: ModelMind | null;
  readonly #gone = new AbortController();
  #isThinking = false;
  readonly #failed = Promise.withResolvers<never>();

  constructor(
    plan: CallerPlan,
    wish: SimulationDefinition['caller'],
    clock: Clock,
    { clips = new Map(), model = null }: TalkingCallerOptions = {},
  ) {
    this.#clips = clips;
    this.#model = model;
    this.#failed.promise.catch(() => undefined);
    this.#plan = plan;
    this.#wish = wish;
    this.#clock = clock;
    this.#random = seededRandom(plan.seed * 613 + 11);
    this.#body = new SimulatedCaller(plan, (news) => this.#on(news));
  }

  get over(): Promise<CallerReport> {
    return Promise.race([this.#body.over, this.#failed.promise]);
  }

  /** A part of the script that was never said, and why; null: all was said. */
  get missed(): string | null {
    const { script } = this.#wish;
    const cue = script?.[this.#mind.said];
    if (cue === undefined) return null;
    return this.#missed ?? `The caller never said "${cue.say}": the call was over.`;
  }

  /** The agent has said this. */
  hears(text: string): void {
    this.#heard.push(text);
    this.#think();
  }

  hangUp(): void {
    this.#cancelWait();
    this.#gone.abort();
    this.#body.hangUp();
  }

  async close(): Promise<void> {
    this.#cancelWait();
    this.#gone.abort();
    await this.#body.close();
  }

  #on(news: CallerNews): void {
    switch (news.type) {
      case 'answered':
        return this.#patience();
      case 'agent-started':
        this.#isAgentSpeaking = true;
        this.#cancelWait();
        if (this.#wish.line?.interruptions === true && this.#mind.said > 0) this.#interrupt();
        return;
      case 'agent-stopped':
        this.#isAgentSpeaking = false;
        return this.#think();
      case 'said':
        this.#isSpeaking = false;
        return this.#think();
      default:
        this.#gone.abort();
        return this.#cancelWait();
    }
  }

  /** Speaks once the agent has said something, and nobody speaks. */
  #think(): void {
    this.#cancelWait();
    if (this.#isAgentSpeaking || this.#isSpeaking || this.#isThinking) return;
    if (this.#heard.length === 0) return this.#patience();
    this.#cancelWait = this.#clock.after(QUIET_MS, () => this.#step());
  }

  #patience(): void {
    this.#cancelWait = this.#clock.after(SILENCE_MS, () => {
      this.#missed = `The agent said nothing for ${SILENCE_MS / 1_000} s.`;
      this.#body.hangUp();
    });
  }

  #step(): void {
    const heard = this.#heard.splice(0).join(' ');
    if (this.#model !== null) return void this.#ask(this.#model, heard);
    const [mind, step] = nextStep(this.#wish, this.#mind, heard, this.#plan.language);
    this.#mind = mind;
    this.#take(step);
  }

  /** An answer for which the agent did not wait is forgotten, and asked for again when it is silent. */
  async #ask(model: ModelMind, heard: string): Promise<void> {
    this.#isThinking = true;
    try {
      const step = await model.next(heard, this.#gone.signal);
      this.#isThinking = false;
      if (this.#gone.signal.aborted) return;
      if (this.#isAgentSpeaking || this.#heard.length > 0) {
        this.#heard.unshift(heard);
        return this.#think();
      }
      model.took(heard, step);
      this.#take(step);
    } catch (error) {
      if (this.#gone.signal.aborted) return;
      this.#failed.reject(error);
      this.hangUp();
    }
  }

  #take(step: NextStep): void {
    if (step.type === 'wait') return this.#patience();
    if (step.type === 'hang-up') {
      const cue = this.#wish.script?.[this.#mind.said];
      const after = cue?.after ?? cue?.heard;
      if (after !== undefined) this.#missed = `The agent never said "${after}", for which the caller waited.`;
      return this.#body.hangUp();
    }
    this.#say(step.text, this.#wait(), step.cue);
  }

  /** Speaks over the agent, what it would have said after it: only a sentence that waits for nothing. */
  #interrupt(): void {
    const cue = this.#wish.script?.[this.#mind.said];
    if (cue === undefined || cue.after !== undefined || this.#isSpeaking) return;
    this.#cancelWait = this.#clock.after(INTERRUPT_AFTER_MS, () => {
      this.#heard = [];
      const last = { text: cue.say, cue: this.#mind.said, repeated: 0 };
      this.#mind = { ...this.#mind, said: this.#mind.said + 1, replies: 0, last };
      this.#say(cue.say, 0, this.#mind.said - 1);
    });
  }

  /** `cue`: of the script; null: of its own accord. */
  #say(text: string, afterMs: number, cue: number | null): void {
    this.#isSpeaking = true;
    const clip = cue === null ? undefined : this.#wish.script?.[cue]?.clip;
    this.#body.say(this.#sentences++, text, afterMs, clip === undefined ? undefined : this.#clips.get(clip));
  }

  #wait(): number {
    const [low, high] = WAIT_MS;
    return Math.round(low + this.#random() * (high - low));
  }
}
