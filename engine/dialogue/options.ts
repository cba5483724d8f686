// A dialogue's inputs: the model, the facts of the call, and the callbacks for its results.
import type { Logger } from 'pino';
import type { ConversationSettings } from '../../db/records/resources.ts';
import type { Breaker } from '../../models/llm/breaker.ts';
import type { DialogueBusiness, DialogueModel, FoundPassage } from '../../models/llm/llm.ts';
import type { Clock } from '../clock.ts';
import type { CallCommand } from '../shard/protocol.ts';
import type { DialogueLanguages } from './call-languages.ts';
import type { TurnEnd } from './failed-turns.ts';
import type { ReplyUsage } from './model-usage.ts';
import type { AgentOpenings } from './openings.ts';
import type { SpeechDialogue } from './speech-dialogue.ts';
import type { ToolRun } from './tool-runs.ts';
import type { AccountToolsOptions } from './tools/account-tools.ts';
import type { ToolAction, ToolContext } from './tools/tool.ts';

export interface DialogueOptions {
  callId: string;
  model: DialogueModel;
  /** The same model where a speech-to-speech model answers; absent: none does. */
  speech?: SpeechDialogue;
  /** Answers where the model fails; null: the business's fallback message is said. */
  standIn: DialogueModel | null;
  /** Whether the model is down. */
  breaker: Pick<Breaker, 'mayTry' | 'succeeded' | 'failed'>;
  business: DialogueBusiness;
  agentName: string;
  /** In which the agent speaks now, BCP 47: it may change in the call. */
  readonly language: string;
  /** Further ones in which a language model may answer. */
  readonly additionalLanguages: readonly string[];
  languages: DialogueLanguages;
  /** The campaign's task: see `DialogueRequest`. */
  instructions: string | null;
  /** Spoken first, verbatim. */
  greeting: string;
  /** Whom the caller is put through to after the greeting, which says so; absent: nobody. */
  putThroughTo?: string;
  /** Words with which its replies in this voice and language begin; absent: not learned. */
  openings?(): AgentOpenings;
  /** How the agent leads the conversation. */
  conversation: ConversationSettings;
  /** It writes, and nobody hears it; absent: it speaks. */
  isWritten?: boolean;
  /** How long a caller waits for the model's first word; then the turn has failed. */
  firstWordWithinMs: number;
  isRecorded: boolean;
  direction: 'inbound' | 'outbound';
  callerNumber: string | null;
  callerName: string | null;
  tools: Omit<ToolContext, 'nowMs'>;
  /** The tenant's own tools, and the call's variables, which they may change. */
  accountTools: AccountToolsOptions;
  clock: Clock;
  send(command: CallCommand): void;
  /** The model has produced the first word of a reply. */
  onFirstWord?(epoch: number): void;
  /** Passages of the business's documents for a caller's words; absent: it has none. Never throws. */
  search?(question: string): Promise<FoundPassage[]>;
  /** A reply was made from these. */
  onSourced(passages: readonly FoundPassage[]): void;
  /** A tool that ran beside the talk has answered: asks for a reply that says so. */
  onToolAnswered(tool: string): void;
  /** An action that a tool requests. Called once the sentence that belongs to it was heard. */
  onAction(action: ToolAction): void;
  onToolRan(run: ToolRun): void;
  /** A turn of the caller has its answer, or will have none. */
  onTurnEnded(end: TurnEnd): void;
  /** Requests and tokens of the model's server, reported once it is known whether the reply was discarded. */
  onModelUsed(used: ReplyUsage, isDiscarded: boolean): void;
  log: Logger;
}
