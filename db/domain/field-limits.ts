// Limits of fields that a JSON schema cannot express: the service checks them, and the dashboard's forms name them.

/** The context of a business, as JSON in UTF-8: each turn of a call pays for it. */
export const CONTEXT_BYTES_MAX = 16 * 1024;
/** By the estimate of four characters of JSON without blanks a token, which is right for English. */
export const CONTEXT_TOKENS_ADVISED = 500;
export const CHARACTERS_PER_TOKEN = 4;
/** A policy that is an object, as JSON: as long as one that is a sentence. */
export const POLICY_CHARACTERS_MAX = 4_000;
/** A document that is uploaded as a file. */
export const DOCUMENT_BYTES_MAX = 20 * 1024 * 1024;
/** A document of a port-in order. */
export const PORT_DOCUMENT_BYTES_MAX = 10 * 1024 * 1024;

export const HEADER_NAME_CHARACTERS_MAX = 100;
/** A variable that a tool sets from its answer, and the path to its value. */
export const VARIABLE_NAME_CHARACTERS_MAX = 100;
export const PATH_CHARACTERS_MAX = 200;

export const HOLD_MUSIC_SECONDS = { minimum: 2, maximum: 120 } as const;
