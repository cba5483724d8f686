// The sentences that the call itself says, whatever the dialogue model: its only English, in one place.

export const FALLBACK = "I'm sorry, I'm having some trouble right now.";
export const HANDING_OVER = 'Let me put you through to a person.';
export const CALL_AGAIN_LATER = 'Please call again later. Goodbye.';
export const STILL_CONNECTING = 'One moment, please. I am still trying to connect you.';

/** What the person who takes over a call hears before the caller is put through. */
export function announcement(agentName: string, businessName: string, callerName: string | null): string {
  return `Hello, this is ${agentName}, the assistant of ${businessName}. I have ${callerName ?? 'a caller'} on the line for you. Connecting now.`;
}
