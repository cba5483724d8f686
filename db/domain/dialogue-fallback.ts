// Chooses the stand-in for a turn in which the language model fails: the built-in receptionist, from the business's own
// content, or the business's fallback message.

export const DIALOGUE_FALLBACKS = ['receptionist', 'message'] as const;
export type DialogueFallback = (typeof DIALOGUE_FALLBACKS)[number];

interface Content {
  /** Null: by its content. */
  dialogueFallback: DialogueFallback | null;
  hours: readonly unknown[];
  services: readonly unknown[];
  faqs: readonly unknown[];
}

/** A receptionist who knows nothing is worse than a clear word. */
export function dialogueFallbackOf({ dialogueFallback, hours, services, faqs }: Content): DialogueFallback {
  if (dialogueFallback !== null) return dialogueFallback;
  return hours.length + services.length + faqs.length > 0 ? 'receptionist' : 'message';
}
