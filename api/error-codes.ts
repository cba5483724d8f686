// Every code of an error answer, with its HTTP status and its sentence in docs/errors.md. Clients depend on these
// names: a name may be added, but neither renamed nor given another status.

export const ERROR_CODES = {
  BAD_REQUEST: { status: 400, meaning: 'The HTTP request itself cannot be read, for example its URL or its length.' },
  MALFORMED_JSON: { status: 400, meaning: 'The body is not JSON, or nests too deeply.' },
  INVALID_VERIFICATION_TOKEN: {
    status: 400,
    meaning: 'The token of a verification or invitation mail is wrong, used or expired.',
  },
  INVALID_RESET_CODE: { status: 400, meaning: 'The password reset code is wrong, used or expired.' },
  INVALID_PASSWORD: { status: 400, meaning: 'The password that confirms the change is wrong.' },
  INVALID_CODE: { status: 400, meaning: 'The two-factor code that confirms the change is wrong.' },
  PAGE_UNREADABLE: { status: 400, meaning: 'The web page cannot be fetched, or is not one that can be read.' },
  WEBHOOK_URL_REFUSED: { status: 400, meaning: 'Webhooks are not sent to this address.' },
  WEBHOOK_PROBE_FAILED: { status: 400, meaning: 'The webhook URL did not answer the probe with 2xx in time.' },

  AUTHENTICATION_REQUIRED: { status: 401, meaning: 'The request carries no bearer token.' },
  INVALID_TOKEN: { status: 401, meaning: 'The token is not one that this service issued.' },
  TOKEN_EXPIRED: { status: 401, meaning: 'The token has expired: refresh it, or log in again.' },
  TOKEN_REVOKED: { status: 401, meaning: 'The token was revoked by a logout, a password reset or its owner.' },
  INVALID_CREDENTIALS: { status: 401, meaning: 'The email or the password is wrong.' },
  SECOND_FACTOR_FAILED: {
    status: 401,
    meaning: 'The two-factor code is wrong, or the pending login has expired or run out of tries.',
  },

  INSUFFICIENT_PERMISSIONS: { status: 403, meaning: 'The role does not allow this.' },
  SESSION_REQUIRED: {
    status: 403,
    meaning: 'A personal access token may not do this to credentials and people: sign in.',
  },
  EMAIL_NOT_VERIFIED: { status: 403, meaning: 'The email address has to be verified before the first login.' },
  REGISTRATION_CLOSED: { status: 403, meaning: 'This installation takes new accounts by invitation only.' },

  NOT_FOUND: { status: 404, meaning: 'The resource does not exist, or belongs to another account.' },
  ROUTE_NOT_FOUND: { status: 404, meaning: 'No endpoint has this method and path.' },
  NOT_ACCEPTABLE: { status: 406, meaning: 'A part of a multipart body does not match its own content type.' },
  REQUEST_TIMEOUT: { status: 408, meaning: 'The request took too long to arrive.' },

  AGENT_DELETED: { status: 409, meaning: 'The agent is deleted.' },
  AGENT_INACTIVE: { status: 409, meaning: "The campaign's agent is not active." },
  AGENT_IN_USE: { status: 409, meaning: 'An active campaign uses the agent.' },
  APPOINTMENT_TAKEN: { status: 409, meaning: 'Another appointment is booked at that time.' },
  BUSINESS_DELETED: { status: 409, meaning: 'The business is deleted.' },
  BUSINESS_NOT_DELETED: { status: 409, meaning: 'Only a deleted business can be restored.' },
  CALL_RUNNING: { status: 409, meaning: 'The call has not ended: end it first.' },
  CALL_ENDED: { status: 409, meaning: 'The call has ended.' },
  CAMPAIGN_ACTIVE: { status: 409, meaning: 'The campaign is active: pause it first.' },
  CAMPAIGN_DELETED: { status: 409, meaning: 'The campaign is deleted.' },
  CAMPAIGN_ENDED: { status: 409, meaning: 'The campaign has ended and places no more calls.' },
  CAMPAIGN_NEEDS_NUMBER: { status: 409, meaning: 'The campaign has no active phone number, and needs one.' },
  CAMPAIGN_STATUS_CONFLICT: {
    status: 409,
    meaning: 'The campaign cannot be started, paused or resumed from the status it has.',
  },
  CAMPAIGN_STATUS_READ_ONLY: { status: 409, meaning: 'A campaign changes its status by start, pause and resume only.' },
  CHANGED_MEANWHILE: { status: 409, meaning: 'Another request changed the record at the same time: read it again.' },
  CONTACT_BEING_CALLED: { status: 409, meaning: 'A call to the contact is under way.' },
  DOCUMENTS_CLOSED: { status: 409, meaning: 'The port order has gone too far to take more documents.' },
  DOCUMENTS_MISSING: { status: 409, meaning: 'The port order lacks one of its two documents.' },
  EMAIL_TAKEN: { status: 409, meaning: 'An account with this email exists.' },
  IDEMPOTENCY_KEY_BUSY: { status: 409, meaning: 'The first request with this Idempotency-Key is still running.' },
  MODEL_INSTALLED: { status: 409, meaning: 'The model is installed already.' },
  MODEL_NOT_DOWNLOADABLE: { status: 409, meaning: 'The model has nothing to download.' },
  NO_PAYMENT_PROVIDER: { status: 409, meaning: 'No payment provider is set up, so nothing is charged.' },
  NUMBER_IN_USE: { status: 409, meaning: 'The phone number serves another active campaign.' },
  NUMBER_NOT_RESERVED: {
    status: 409,
    meaning: 'The phone number is free, and no search of this account has reserved it: search first.',
  },
  NUMBER_OWNED: { status: 409, meaning: 'An account owns the phone number.' },
  NUMBER_UNPAID: { status: 409, meaning: 'The phone number was suspended, and a charge for it is still unpaid.' },
  NUMBER_TAKEN: { status: 409, meaning: 'The phone number is no longer on offer: search again.' },
  ON_DO_NOT_CALL_LIST: { status: 409, meaning: "The number to call is on the account's do-not-call list." },
  PAYMENT_DECLINED: { status: 409, meaning: 'The payment was declined.' },
  PORT_ORDER_LIMIT: { status: 409, meaning: 'The account has too many open port orders.' },
  PORT_ORDER_OPEN: { status: 409, meaning: 'A port order for this number is under way.' },
  PORT_ORDER_STATUS_CONFLICT: {
    status: 409,
    meaning: 'The port order cannot go from its status to the one asked for.',
  },
  PURCHASE_UNDER_WAY: { status: 409, meaning: 'Another request is buying this number.' },
  QUOTA_EXCEEDED: {
    status: 409,
    meaning: 'The account has as many records, or bytes, of this kind as its plan allows.',
  },
  SELF_REMOVAL: { status: 409, meaning: 'Users cannot remove themselves from their account.' },
  SET_BY_VARIABLE: {
    status: 409,
    meaning: 'An environment variable of the service sets this and wins: the message names it.',
  },
  SIP_USERNAME_TAKEN: { status: 409, meaning: 'Another SIP account has this username.' },
  TOKEN_LIMIT: { status: 409, meaning: 'The user has as many personal access tokens as one may have.' },
  TOOL_IN_USE: { status: 409, meaning: 'An agent, a business or a campaign has the tool.' },
  TOOL_NAME_TAKEN: { status: 409, meaning: 'Another tool of the account has this name.' },
  TWO_FACTOR_ENABLED: { status: 409, meaning: 'Two-factor authentication is already enabled.' },
  TWO_FACTOR_NOT_ENABLED: { status: 409, meaning: 'Two-factor authentication is not enabled.' },
  TWO_FACTOR_NOT_SET_UP: { status: 409, meaning: 'Two-factor authentication has to be set up before it is enabled.' },
  WEBHOOK_LIMIT: { status: 409, meaning: 'The account has as many webhooks as it may have.' },

  BODY_TOO_LARGE: { status: 413, meaning: 'The body, or an uploaded document, is too large.' },
  URI_TOO_LONG: { status: 414, meaning: 'The URI, or an id in it, is too long.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, meaning: 'The endpoint does not take this content type.' },
  RANGE_NOT_SATISFIABLE: { status: 416, meaning: 'The recording has no bytes in the range asked for.' },
  DESTINATION_NOT_ALLOWED: {
    status: 422,
    meaning: 'The number may not be called: `errors` says by whose rule (docs/destinations.md).',
  },
  VALIDATION_FAILED: { status: 422, meaning: 'Fields are wrong or missing: `errors` names each by its JSON path.' },
  ACCOUNT_LOCKED: { status: 423, meaning: 'Too many failed logins: the account is locked for some minutes.' },

  ACCOUNT_BUSY: {
    status: 429,
    meaning: 'The account has as many long requests of this kind under way as one may have.',
  },
  CAMPAIGN_PAUSED: { status: 429, meaning: 'The campaign is paused: resume it before placing calls.' },
  COUNTS_BUSY: { status: 429, meaning: 'Too many call lists with combined filters are being counted.' },
  INVITATION_LIMIT: {
    status: 429,
    meaning: 'The account, or the invited address, has had enough invitations for now.',
  },
  HELPERS_BUSY: { status: 429, meaning: 'Too many helpers are asking the dialogue model.' },
  MODEL_TESTS_BUSY: { status: 429, meaning: 'Too many tests of models are running, or were run in this minute.' },
  LOGIN_THROTTLED: { status: 429, meaning: 'Too many logins have failed from this IP address.' },
  MINUTES_EXHAUSTED: { status: 429, meaning: "The plan's minutes of this month are used up." },
  PAGES_BUSY: { status: 429, meaning: 'Too many web pages are being read.' },
  RATE_LIMITED: { status: 429, meaning: 'The token or IP address has made too many requests in this minute.' },
  REGISTRATION_THROTTLED: { status: 429, meaning: 'Too many accounts were registered from this network.' },
  RESET_THROTTLED: {
    status: 429,
    meaning: 'Too many wrong reset codes have come from this IP address, or for this email.',
  },
  SIGN_IN_BUSY: { status: 429, meaning: 'Too many passwords are being checked.' },
  SPEND_LIMIT_REACHED: {
    status: 429,
    meaning: 'The outbound minutes of this hour or day are spent (docs/spend.md).',
  },
  STREAM_LIMIT: { status: 429, meaning: 'Too many live streams are open.' },
  TOOL_TESTS_BUSY: { status: 429, meaning: 'Too many tools are being tried.' },
  HEADERS_TOO_LARGE: { status: 431, meaning: 'The request headers are too large.' },

  INTERNAL_ERROR: { status: 500, meaning: 'A fault of this service: its log has the details under `X-Request-Id`.' },
  BROWSER_CALLS_DOWN: { status: 503, meaning: 'The engine takes no browser calls.' },
  CAPACITY_REACHED: { status: 503, meaning: 'The system holds as many calls as it can.' },
  CARRIER_DOWN: { status: 503, meaning: 'The carrier does not answer.' },
  DATABASE_BUSY: { status: 503, meaning: 'The database cannot write.' },
  ENGINE_DOWN: { status: 503, meaning: 'The engine is down, starting or shutting down, or has no telephony.' },
  FILES_DOWN: {
    status: 503,
    meaning: 'The object store of recordings and documents does not answer, or the engine that has the recording.',
  },
  MODEL_NOT_TESTED: { status: 503, meaning: 'The engine did not carry out the test of the model in time.' },
  MODEL_FAILED: { status: 503, meaning: 'The dialogue model gave no usable answer.' },
  NO_TRUNK: { status: 503, meaning: 'No SIP trunk is set up for the number to call from.' },
  PAYMENT_PROVIDER_DOWN: { status: 503, meaning: 'The payment provider does not answer.' },
  PURCHASE_SETTLING: { status: 503, meaning: 'An earlier try of the same purchase is being settled: try again.' },
  TRUNK_BUSY: { status: 503, meaning: 'More calls were accepted than the SIP trunk may place in the next 2 seconds.' },
  TRUNK_DOWN: { status: 503, meaning: 'The SIP trunk is down.' },
  TRUNK_FULL: { status: 503, meaning: 'The SIP trunk carries as many calls as it may.' },
  VOICE_UNAVAILABLE: { status: 503, meaning: 'The engine did not render the sample of the voice in time.' },
} as const satisfies Record<string, { status: number; meaning: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** The codes of one or several statuses. */
export type CodeOf<Status extends number> = {
  [Code in ErrorCode]: (typeof ERROR_CODES)[Code]['status'] extends Status ? Code : never;
}[ErrorCode];
