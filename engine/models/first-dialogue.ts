// The dialogue model of a start: that of the settings, else that of the environment.
import { messageOf } from '../../db/domain/unexpected.ts';
import { loadDialogueModel } from '../../models/engines.ts';
import type { DialogueModel } from '../../models/llm/llm.ts';
import type { EngineChoice } from './choices.ts';

/** The first dialogue model of `choices` that can be loaded. @throws the last one's error */
export async function loadFirstDialogue(
  choices: readonly EngineChoice[],
  onFailed: (choice: EngineChoice, message: string) => void,
): Promise<DialogueModel> {
  for (const choice of choices.slice(0, -1)) {
    try {
      return await loadDialogueModel(choice.name, choice.environment);
    } catch (error) {
      onFailed(choice, messageOf(error));
    }
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('there is no dialogue model');
  return loadDialogueModel(last.name, last.environment);
}
