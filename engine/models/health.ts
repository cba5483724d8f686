// The health of the models, for `GET /admin/status`: their servers are probed every few minutes, and failures on calls
// are recorded.
import type { Logger } from 'pino';
import { messageOf } from '../../db/domain/unexpected.ts';
import type { ModelFault } from '../../db/shared/metrics.ts';
import type { DialogueModel, ModelNotice } from '../../models/llm/llm.ts';
import type { ProbeFinding } from '../../models/vendors/server-probe.ts';
import { type Clock, every } from '../clock.ts';

/** A probe costs a server nothing, and detects a repair. */
const ASK_EVERY_MS = 5 * 60_000;

interface ModelHealthOptions {
  /** At first; `use` replaces it. */
  dialogue: DialogueModel;
  /** Probes the servers of recogniser and voice. */
  probe(): Promise<ProbeFinding[]>;
  clock: Clock;
  log: Logger;
}

export class ModelHealth {
  readonly #options: ModelHealthOptions;
  #dialogue: DialogueModel;
  /** The result of the latest probes: text by model. */
  #found: ModelFault[] = [];
  /** The newest failure on a call, by model. */
  readonly #failed = new Map<ModelFault['model'], ModelFault>();

  constructor(options: ModelHealthOptions) {
    this.#options = options;
    this.#dialogue = options.dialogue;
    options.dialogue.onNotice?.((notice) => this.#logNotice(notice));
  }

  /** Another dialogue model answers: what was known of the former is forgotten. */
  use(dialogue: DialogueModel): void {
    this.#dialogue = dialogue;
    dialogue.onNotice?.((notice) => this.#logNotice(notice));
    this.forget('llm');
  }

  /** Another engine has replaced the one that failed. */
  forget(model: ModelFault['model']): void {
    this.#failed.delete(model);
    this.#found = this.#found.filter((fault) => fault.model !== model);
  }

  /** Probes at once and then every five minutes; returns a function that stops it. */
  start(): () => void {
    void this.ask();
    return every(this.#options.clock, ASK_EVERY_MS, () => void this.ask());
  }

  async ask(): Promise<void> {
    const { probe, clock, log } = this.#options;
    const dialogue = this.#dialogue;
    const before = new Set(this.#found.map(({ message }) => message));
    const found: ModelFault[] = [];
    for (const notice of (await dialogue.check?.()) ?? []) {
      found.push({ model: 'llm', source: 'server', message: notice.text, atMs: clock.nowMs() });
      if (!before.has(notice.text)) this.#logNotice(notice);
    }
    try {
      for (const { kind, engine, message } of await probe()) {
        found.push({ model: kind, source: 'server', message, atMs: clock.nowMs() });
        if (before.has(message)) continue;
        log.error(
          { kind, engine, error: message },
          'the engine’s server does not answer correctly; another engine replaces it',
        );
      }
    } catch (error) {
      log.warn({ error: messageOf(error) }, 'could not probe the engines’ servers');
    }
    this.#found = found;
  }

  /** A model failed on a call, or another one had to stand in. */
  failed(model: ModelFault['model'], message: string): void {
    this.#failed.set(model, { model, source: 'call', message, atMs: this.#options.clock.nowMs() });
  }

  /** A model worked on a call. */
  worked(model: ModelFault['model']): void {
    this.#failed.delete(model);
  }

  get faults(): ModelFault[] {
    return [...this.#found, ...this.#failed.values()];
  }

  #logNotice({ level, text, details }: ModelNotice): void {
    this.#options.log[level](details, text);
  }
}
