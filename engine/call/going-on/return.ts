// When the peer of a call that another process had is heard and hears again: at once on a telephone, and in a browser
// when it has joined again.
import { sharedClockMs } from '../../../db/shared/process/shared-clock.ts';
import { phrasesFor } from '../../../models/llm/phrases/languages.ts';
import type { Clock } from '../../clock.ts';
import type { AgentRequest, TurnPhase } from '../../turn/machine.ts';
import type { CallMetrics, ConductorDeps, ConductorOptions } from '../context.ts';
import { conversationOf, greeting, voicemailMessage } from '../setup.ts';
import type { CallTimings } from '../timings.ts';
import type { TakenCall } from './continuation.ts';
import { heardAgainAt, lostWords, mayHaveLostWords, requestAfterGap } from './gap.ts';

/** By then a caller who is still speaking is heard, and one who was done waits for an answer. */
const LISTEN_MS = 1_200;

interface ReturnOptions {
  taken: TakenCall;
  options: Pick<ConductorOptions, 'call' | 'setup' | 'medium'>;
  /** In which the call is led. */
  language: string;
  deps: Pick<ConductorDeps, 'dialogue' | 'speechToSpeech'>;
  metrics: Pick<CallMetrics, 'resumed'>;
  record: { timings: Pick<CallTimings, 'heardAgain'> };
  clock: Clock;
  /** The phase says who has the floor. */
  phase(): TurnPhase;
  request(request: AgentRequest): void;
}

export class Return {
  readonly #of: ReturnOptions;
  #isAwaited = true;

  constructor(of: ReturnOptions) {
    this.#of = of;
    if (of.taken.leg !== null) this.#back(of.taken);
  }

  /** The browser has joined again. */
  joined(): void {
    if (!this.#isAwaited) return;
    const { taken, record } = this.#of;
    const since = heardAgainAt(taken, sharedClockMs() - taken.from.beganAtMs);
    record.timings.heardAgain(since.resumption);
    this.#back(since);
  }

  #back(taken: TakenCall): void {
    const { options, language, deps, metrics, clock, phase, request } = this.#of;
    this.#isAwaited = false;
    metrics.resumed(taken.resumption);
    const texts = { greeting: greeting(options, deps, clock.nowMs()), message: voicemailMessage(options) };
    // The agent's own words are in its own language.
    const own = language === options.setup.agent.language ? conversationOf(options.setup) : {};
    const words = lostWords(own, phrasesFor(language).call);
    const owed = requestAfterGap(taken, texts, words);
    if (owed !== null) return request(owed);
    if (!mayHaveLostWords(taken)) return;
    clock.after(LISTEN_MS, () => {
      if (phase() === 'listening' || phase() === 'waiting') request({ kind: 'say', text: words.askAgain });
    });
  }
}
