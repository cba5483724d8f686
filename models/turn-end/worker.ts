// The turn-end worker: judges the pauses of all calls one after the other on its own thread, because a run takes some
// 10 ms and voice activity detection must not wait for it. The newest pause is first, and overdue ones are dropped: a
// late answer is useless, so under load fewer pauses are judged, but in time.
import type { MessagePort } from 'node:worker_threads';
import { messageOf, unreachable } from '../../db/domain/unexpected.ts';
import { Resampler } from '../../media/resample.ts';
import { lowerThreadPriority } from '../workers/priority.ts';
import { nameThread } from '../workers/thread-name.ts';
import { serveUntilStopped, type WorkerTask } from '../workers/worker-task.ts';
import { SmartTurn } from './smart-turn.ts';
import {
  TURN_END_RATE_HZ,
  TURN_END_SECONDS,
  type TurnEndModel,
  type TurnEndReply,
  type TurnEndRequest,
} from './turn-end.ts';

/** Most pauses in the queue; one more drops the oldest. */
const MAX_WAITING = 64;

type Question = Extract<TurnEndRequest, { type: 'judge' }>;

interface Waiting {
  port: MessagePort;
  question: Question;
  cancel: AbortController;
  overdue: NodeJS.Timeout;
}

export class TurnEndHost {
  readonly #model: Pick<TurnEndModel, 'judge'>;
  readonly #ports = new Set<MessagePort>();
  /** Oldest first. */
  #waiting: Waiting[] = [];
  #judging: Waiting | null = null;
  #running: Promise<void> | null = null;

  constructor(model: Pick<TurnEndModel, 'judge'>) {
    this.#model = model;
  }

  connect(port: MessagePort): void {
    this.#ports.add(port);
    port.on('message', (message: TurnEndRequest) => this.#receive(port, message));
    port.on('close', () => this.#disconnect(port));
    reply(port, { type: 'ready' });
  }

  /** Resolves when no run is in progress; only then may the thread end. */
  async close(): Promise<void> {
    for (const port of [...this.#ports]) this.#disconnect(port);
    await this.#running;
  }

  #receive(port: MessagePort, message: TurnEndRequest): void {
    switch (message.type) {
      case 'judge':
        this.#add(port, message);
        return;
      case 'cancel':
        this.#drop((each) => each.port === port && each.question.callId === message.callId);
        return;
      case 'stop':
        this.#disconnect(port);
        return;
      default:
        unreachable(message);
    }
  }

  #add(port: MessagePort, question: Question): void {
    this.#drop((each) => each.port === port && each.question.callId === question.callId);
    const waiting: Waiting = {
      port,
      question,
      cancel: new AbortController(),
      overdue: setTimeout(() => this.#giveUp(waiting, 'it waited too long'), question.withinMs),
    };
    this.#waiting.push(waiting);
    const [oldest] = this.#waiting;
    if (this.#waiting.length > MAX_WAITING && oldest) this.#giveUp(oldest, 'too many pauses wait');
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  async #run(): Promise<void> {
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) {
      clearTimeout(next.overdue);
      this.#judging = next;
      const answer = await this.#judge(next);
      this.#judging = null;
      if (!next.cancel.signal.aborted) reply(next.port, answer);
      // Handles messages between two runs: a pause may be over by now.
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  async #judge({ question, cancel }: Waiting): Promise<TurnEndReply> {
    const { callId, pause, samples, sampleRateHz } = question;
    try {
      const likelihood = await this.#model.judge(atModelRate(samples, sampleRateHz), cancel.signal);
      return { type: 'judged', callId, pause, likelihood };
    } catch (error) {
      return { type: 'failed', callId, pause, message: messageOf(error) };
    }
  }

  #giveUp(waiting: Waiting, message: string): void {
    const { callId, pause } = waiting.question;
    this.#drop((each) => each === waiting);
    reply(waiting.port, { type: 'failed', callId, pause, message });
  }

  #disconnect(port: MessagePort): void {
    this.#ports.delete(port);
    this.#drop((each) => each.port === port);
  }

  #drop(isDropped: (waiting: Waiting) => boolean): void {
    if (this.#judging && isDropped(this.#judging)) this.#judging.cancel.abort();
    for (const each of this.#waiting) if (isDropped(each)) clearTimeout(each.overdue);
    this.#waiting = this.#waiting.filter((each) => !isDropped(each));
  }
}

/** Runs as the worker's one task, until `stop`. */
export default async function serveTurnEnds(task: WorkerTask): Promise<void> {
  lowerThreadPriority();
  nameThread('turn-end');
  const model = await SmartTurn.load(task.environment);
  // The first run takes several times as long as the others; no caller should wait for it.
  await model.judge(new Int16Array(TURN_END_RATE_HZ * TURN_END_SECONDS));
  const host = new TurnEndHost(model);
  await serveUntilStopped(task, (port) => host.connect(port));
  await host.close();
  await model.release();
}

/** All of `samples` at the model's rate: the filter's delay is removed at the front and padded at the end. */
function atModelRate(samples: Int16Array, sampleRateHz: number): Int16Array {
  if (sampleRateHz === TURN_END_RATE_HZ) return samples;
  const resampler = new Resampler(sampleRateHz, TURN_END_RATE_HZ);
  const delay = Math.ceil(resampler.delayInputSamples);
  const followed = new Int16Array(samples.length + delay);
  followed.set(samples);
  return resampler.convert(followed).subarray(Math.round((delay * TURN_END_RATE_HZ) / sampleRateHz));
}

function reply(port: MessagePort, message: TurnEndReply): void {
  port.postMessage(message);
}
