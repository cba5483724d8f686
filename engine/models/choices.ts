// Which engine listens, thinks and speaks, or does all of it: the ADMIN's settings from the database, below the
// environment's variables. A change is taken while calls run. Settings that cannot be taken leave the former engine in
// place, and the state row says why.
import type { Logger } from 'pino';
import {
  environmentWith,
  MODEL_VARIABLES,
  type ModelKind,
  type ModelValues,
  NO_MODEL_VALUES,
  type TakenSettings,
} from '../../db/domain/model-settings.ts';
import { messageOf } from '../../db/domain/unexpected.ts';
import { listModelSettings, modelValues } from '../../db/queries/settings/model-settings.ts';
import type { ModelSettingsTable } from '../../db/schema/model-settings.ts';
import type { Db } from '../../db/schema.ts';
import type { Environment } from '../../db/shared/settings/environment.ts';
import { readEngineName } from '../config.ts';

/** An engine, and the environment that it reads its settings from. */
export interface EngineChoice {
  /** In the place of a speech-to-speech model also CASCADE: none. */
  name: string;
  environment: Environment;
}

interface ModelChoicesOptions {
  read: Db;
  dataDir: string;
  secretKey: Buffer;
  environment: Environment;
  log: Pick<Logger, 'info' | 'error'>;
}

interface ChoiceTaker {
  /** Loads the engine and gives it the new calls. @throws the engine's own error: the former one goes on */
  take(kind: ModelKind, choice: EngineChoice): Promise<void>;
  /** The settings of the running engine were entered again as they are. */
  enteredAgain?(kind: ModelKind): void;
}

export class ModelChoices {
  readonly #options: ModelChoicesOptions;
  readonly #running = new Map<ModelKind, EngineChoice>();
  readonly #taken = new Map<ModelKind, TakenSettings>();
  readonly #taking = new Set<ModelKind>();
  #taker: ChoiceTaker = { take: async () => {} };

  constructor(options: ModelChoicesOptions) {
    this.#options = options;
  }

  /** How the settings of each kind were taken; a kind for which nothing was ever set is missing. */
  get taken(): Partial<Record<ModelKind, TakenSettings>> {
    return Object.fromEntries(this.#taken);
  }

  /** For each kind the engines to try at the start: that of the settings, then that of the environment alone. */
  async atStart(): Promise<Record<ModelKind, EngineChoice[]>> {
    const rows = await listModelSettings(this.#options.read);
    const of = (kind: ModelKind): EngineChoice[] => this.#firstChoices(kind, rows.get(kind));
    return { llm: of('llm'), stt: of('stt'), tts: of('tts'), 'speech-to-speech': of('speech-to-speech') };
  }

  /** The engine could not be loaded at the start; the next one is tried. */
  failedAtStart(kind: ModelKind, choice: EngineChoice, message: string): void {
    const taken = this.#taken.get(kind);
    if (taken && this.#running.get(kind) === choice) this.#settle(kind, taken.revision, message);
    this.#running.delete(kind);
  }

  /** From now on changes are taken by `taker`. */
  watch(taker: ChoiceTaker): void {
    this.#taker = taker;
  }

  /** Looks for changes; cheap when there are none. Runs on every change of the database. */
  async refresh(): Promise<void> {
    for (const [kind, { revision }] of await listModelSettings(this.#options.read)) {
      if (revision !== this.#taken.get(kind)?.revision) void this.#takeNewest(kind);
    }
  }

  #firstChoices(kind: ModelKind, row: ModelSettingsTable | undefined): EngineChoice[] {
    const byEnvironment = this.#choose(kind, NO_MODEL_VALUES);
    this.#running.set(kind, byEnvironment);
    if (row === undefined) return [byEnvironment];
    try {
      const chosen = this.#chosenBy(row);
      this.#taken.set(kind, { revision: row.revision, error: null });
      this.#running.set(kind, chosen);
      return [chosen, byEnvironment];
    } catch (error) {
      this.#settle(kind, row.revision, messageOf(error));
      return [byEnvironment];
    }
  }

  /** One change at a time; of several quick ones the newest. */
  async #takeNewest(kind: ModelKind): Promise<void> {
    if (this.#taking.has(kind)) return;
    this.#taking.add(kind);
    try {
      for (;;) {
        const row = (await listModelSettings(this.#options.read)).get(kind);
        if (row === undefined || row.revision === this.#taken.get(kind)?.revision) return;
        this.#settle(kind, row.revision, await this.#errorOfTaking(kind, row));
      }
    } catch (error) {
      this.#options.log.error({ model: kind, error: messageOf(error) }, 'could not read the settings of the models');
    } finally {
      this.#taking.delete(kind);
    }
  }

  async #errorOfTaking(kind: ModelKind, row: ModelSettingsTable): Promise<string | null> {
    try {
      const choice = this.#chosenBy(row);
      if (isSame(kind, choice, this.#running.get(kind))) this.#taker.enteredAgain?.(kind);
      else await this.#taker.take(kind, choice);
      this.#running.set(kind, choice);
      return null;
    } catch (error) {
      return messageOf(error);
    }
  }

  #settle(kind: ModelKind, revision: number, error: string | null): void {
    const { log } = this.#options;
    this.#taken.set(kind, { revision, error });
    const engine = this.#running.get(kind)?.name;
    if (error === null) log.info({ model: kind, engine, revision }, 'settings of the model taken');
    else log.error({ model: kind, revision, error }, 'settings of the model not taken, the former engine goes on');
  }

  #chosenBy(row: ModelSettingsTable): EngineChoice {
    return this.#choose(row.kind, this.#valuesOf(row));
  }

  #valuesOf(row: ModelSettingsTable): ModelValues {
    try {
      return modelValues(row, this.#options.secretKey);
    } catch {
      throw new Error('the stored key cannot be opened with secret.key of DATA_DIR: enter it again');
    }
  }

  /** @throws ConfigError for an engine that does not exist, is not installed, or lacks a setting */
  #choose(kind: ModelKind, values: ModelValues): EngineChoice {
    const environment = environmentWith(kind, values, this.#options.environment);
    return { name: readEngineName(kind, environment, this.#options.dataDir), environment };
  }
}

/** Whether both are the same engine with the same settings: then nothing has to be loaded. */
function isSame(kind: ModelKind, a: EngineChoice, b: EngineChoice | undefined): boolean {
  if (a.name !== b?.name) return false;
  const variables = Object.values(MODEL_VARIABLES[kind]);
  return variables.every((name) => a.environment[name] === b.environment[name]);
}
