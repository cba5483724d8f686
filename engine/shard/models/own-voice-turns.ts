// Turn-taking of a call in which a speech-to-speech model answers with its own voice. Its session keeps the history: a
// reply that was heard cannot be withdrawn from it as if it had not been said, and a word between the groups of a
// number would come in another voice.
import type { TurnConfig } from '../../turn/machine.ts';
import type { OpenCall } from '../protocol.ts';

export function turnConfigOf({ turn, speechModel }: Pick<OpenCall, 'turn' | 'speechModel'>): TurnConfig {
  return speechModel ? { ...turn, groupAcknowledgement: 'none', keepsHeardReplies: true } : turn;
}
