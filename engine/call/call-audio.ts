// The audio of one call in its media shard: where it enters, and what it is told to do.
import type { OpenCall, OwnCommand, ShardEvent } from '../shard/protocol.ts';
import type { LocalAudio } from '../sip/telephony.ts';
import type { AgentRequest } from '../turn/machine.ts';
import type { ConductorDeps, ConductorOptions } from './context.ts';
import type { LanguageChoices, LanguagesState } from './languages/language-choices.ts';
import { type AudioEntrance, audioEntrance } from './persons/audio-entrance.ts';
import { openCommand, openingRateHz } from './setup.ts';

export class CallAudio {
  readonly #deps: ConductorDeps;
  readonly #options: ConductorOptions;
  readonly #entrance: AudioEntrance;
  readonly #choices: LanguageChoices;

  constructor(deps: ConductorDeps, options: ConductorOptions, choices: LanguageChoices) {
    this.#deps = deps;
    this.#choices = choices;
    this.#options = options;
    const { call, medium } = options;
    this.#entrance = audioEntrance(deps.telephony, { callId: call.id, sampleRateHz: openingRateHz(medium) });
  }

  /** `change`: what is not as in a call that begins. `languages`: of one that goes on. */
  open(
    recordingPath: string | null,
    onEvent: (event: ShardEvent) => void,
    change: Partial<OpenCall> = {},
    languages?: LanguagesState,
  ): void {
    const { setup } = this.#options;
    const { spoken, isNamed } = languages ?? { spoken: setup.agent.language, isNamed: false };
    const options = { ...this.#options, setup: this.#choices.setupIn(spoken) };
    const command = openCommand(options, this.#entrance, recordingPath, this.#deps);
    const vocabulary = this.#choices.vocabularyIn(spoken, isNamed, command.amd !== null);
    const mayChange = this.#choices.mayChange ? { mayChangeLanguage: true } : {};
    this.#deps.shards.open({ ...command, vocabulary, ...mayChange, ...change }, onEvent);
  }

  /** The opened address in the form that a leg takes. */
  at({ address, port }: { address: string; port: number }): LocalAudio {
    return this.#entrance.at(address, port);
  }

  send(command: OwnCommand): void {
    this.#deps.shards.send({ ...command, callId: this.#options.call.id });
  }

  /** Of a reply outside the caller's turn. `isUrgent`: in place of what the agent is saying. */
  request(request: AgentRequest, isUrgent = false): void {
    this.send({ type: 'request-reply', request, ...(isUrgent ? { isUrgent } : {}) });
  }
}
