// The languages of a call, as its dialogue sees them (engine/call/languages/languages.ts).
import type { LanguageAnswer } from './tools/tool.ts';

export interface DialogueLanguages {
  /** All that the call may be led in, BCP 47; empty: there is one only. */
  readonly offered: readonly string[];
  /** The one whose key this is; null: of none. */
  byKey(digits: string): string | null;
  /** Resolves once the call goes on in it, or goes on as before. Never rejects. */
  switchTo(language: string, by: 'wish' | 'key'): Promise<LanguageAnswer>;
}

export const ONE_LANGUAGE: DialogueLanguages = {
  offered: [],
  byKey: () => null,
  switchTo: async () => ({ ok: false, error: 'unknown_language', message: 'This agent speaks one language only.' }),
};
