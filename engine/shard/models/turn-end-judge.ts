// Asks the turn-end model once about each pause of the caller, and passes its answer to the turn machine while that
// pause lasts. Until then, and without an answer, the rules decide.
import type { Clock } from '../../clock.ts';
import type { TurnEvent, TurnState } from '../../turn/machine.ts';
import type { HeardAudio } from '../ear/heard-audio.ts';
import type { ShardEvent } from '../protocol.ts';
import type { ModelClient } from './model-client.ts';
import type { ModelPorts } from './model-ports.ts';

/** The longest pause that the words allow a caller. */
const WITHIN_MS = 1_600;
/** The model hears the whole turn, and a little before it. */
const LEAD_MS = 500;

interface TurnEndJudgeEdge {
  audio: { heard: Pick<HeardAudio, 'since'> };
  models: Pick<ModelPorts, 'judgeTurnEnd' | 'cancelTurnEnd'>;
  clock: Pick<Clock, 'monotonicMs'>;
  emit(event: ShardEvent): void;
}

export class TurnEndJudge {
  readonly #client: ModelClient;
  readonly #edge: TurnEndJudgeEdge;
  /** The newest pause that the model was asked about. */
  #pause = 0;
  #askedAtMs = 0;
  /** That pause lasts, and the answer is outstanding. */
  #isOpen = false;

  constructor(client: ModelClient, edge: TurnEndJudgeEdge) {
    this.#client = client;
    this.#edge = edge;
  }

  /** The turn machine has taken `event` and is in `turn` now. */
  stepped(event: TurnEvent, turn: TurnState): void {
    if (turn.phase !== 'pausing') this.#giveUp();
    // No question about a caller who was answered in mid-word: their turn is over.
    else if (event.type === 'speech-stopped' && turn.rest === null) this.#ask(turn.heard.startedAtMs);
  }

  /** The likelihood for the machine to weigh; null if the answer is of no use. */
  answered(pause: number, likelihood: number | null): number | null {
    if (pause !== this.#pause || !this.#isOpen) return null;
    this.#close(likelihood === null ? 'failed' : 'judged');
    return likelihood;
  }

  #ask(startedAtMs: number): void {
    this.#giveUp();
    const samples = this.#edge.audio.heard.since(startedAtMs - LEAD_MS);
    this.#pause++;
    this.#isOpen = true;
    this.#askedAtMs = this.#edge.clock.monotonicMs();
    this.#edge.models.judgeTurnEnd(this.#client, { pause: this.#pause, samples, withinMs: WITHIN_MS });
  }

  #giveUp(): void {
    if (!this.#isOpen) return;
    this.#edge.models.cancelTurnEnd(this.#client);
    this.#close('late');
  }

  #close(outcome: 'judged' | 'late' | 'failed'): void {
    this.#isOpen = false;
    const ms = this.#edge.clock.monotonicMs() - this.#askedAtMs;
    this.#edge.emit({ type: 'turn-end-judged', callId: this.#client.callId, outcome, ms });
  }
}
