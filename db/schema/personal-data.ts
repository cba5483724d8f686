// Where people are: every column of every table is listed here once, as one that may name a person, with what ends it
// there, or as one that does not. `test/api/personal-data.test.ts` fails for a column that is missing, and looks for
// people in the raw bytes of all files after they were erased.
//
// Persons are callers and callees first; the users of the service and those whom a business writes about are their own
// account's, which changes and deletes them.
import type { Schema } from '../schema.ts';

/** The way in which the person is taken out of the column. */
type Erasure =
  /** The erasure of the call: `DELETE /calls/:id`, or the sweep of `retentionDays`. */
  | 'call'
  /** The same; names of an appointment that lies ahead go when it is over. */
  | 'appointment'
  /** `DELETE /campaigns/:id/contacts/:contactId`, or the deletion of what the row is about. */
  | 'contact'
  /** `DELETE /do-not-call/:phoneNumber`: until then the person must not be called. */
  | 'do-not-call'
  /** `DELETE /conversations/:id`, that of all with a number, the deletion of a contact, or `retentionDays`. */
  | 'conversation'
  /** The end of the work: the row is deleted when the call, the request or the mail is done, or too old. */
  | 'done'
  /** The account's own data and people, which it changes and deletes itself. */
  | 'account'
  /** The installation's own data, an ADMIN's to change. */
  | 'installation';

interface TableEntry {
  /** Columns that may name a person. */
  personal: Readonly<Record<string, Erasure>>;
  /** All others, separated by blanks. */
  others: string;
}

/** Views store nothing. */
export type StoredTable = Exclude<keyof Schema, `${string}Now`>;

export const PERSONAL_DATA: Readonly<Record<StoredTable, TableEntry>> = {
  accessTokens: {
    personal: { name: 'account' },
    others: 'id accountId userId tokenHash role lastUsedAt revokedAt createdAt appEnv scopes expiresAt',
  },
  accountHours: { personal: {}, others: 'accountId hour outboundSeconds calls' },
  accountUsage: { personal: {}, others: 'accountId month seconds' },
  accounts: {
    personal: { name: 'account', setup: 'account' },
    others:
      'id plan timezone defaultCampaignId overageEnabled billingCustomerId createdAt retentionDays destinations spendLimits',
  },
  agents: {
    personal: { name: 'account', description: 'account', conversation: 'account', languages: 'account' },
    others:
      'id accountId voiceId language primaryLanguage additionalLanguages isActive toolIds createdAt deletedAt version',
  },
  alertFirings: {
    personal: {},
    others: 'id accountId ruleId metric comparison threshold windowMinutes value calls endedValue endedAt createdAt',
  },
  alertRules: {
    personal: { name: 'account', notify: 'account' },
    others:
      'id accountId metric comparison threshold windowMinutes minimumCalls businessId campaignId agentId notifySealed ' +
      'timezone isActive dueAt firingId value valueCalls evaluatedAt createdAt',
  },
  appliedOperations: { personal: {}, others: 'id appliedAt' },
  appointments: {
    personal: { name: 'appointment', phone: 'appointment', notes: 'appointment' },
    others:
      'id accountId businessId callId conversationId service startsAt endsAt status createdAt eraseAfter resource sequence history reference ' +
      'reminderCallId reminder phoneProved',
  },
  appointmentReminders: {
    personal: {},
    others: 'businessId accountId campaignId dayBeforeAt hoursBefore createdAt',
  },
  appointmentTexts: {
    personal: {},
    others: 'appointmentId kind sequence accountId businessId dueAt messageId createdAt',
  },
  bookingTries: { personal: {}, others: 'id accountId businessId subjectId kind createdAt' },
  auditLog: {
    personal: { address: 'done' },
    others: 'id accountId actor tokenId action resource resourceId fields createdAt',
  },
  businessAudit: {
    personal: { changes: 'account' },
    others: 'id accountId businessId actor action createdAt',
  },
  holdMusic: { personal: { samples: 'account' }, others: 'businessId accountId durationMs updatedAt' },
  businesses: {
    personal: {
      name: 'account',
      description: 'account',
      address: 'account',
      phone: 'account',
      email: 'account',
      services: 'account',
      faqs: 'account',
      policies: 'account',
      systemPrompt: 'account',
      greetingTemplate: 'account',
      fallbackMessage: 'account',
      transferNumber: 'account',
      destinations: 'account',
      businessContext: 'account',
      lookup: 'account',
      notify: 'account',
      resources: 'account',
    },
    others:
      'id accountId industry timezone hours voiceSettings interruptionSensitivity maxCallDurationMinutes ' +
      'silenceThresholdMs createdAt version deletedAt currency silenceThresholdChosen dialogueFallback toolIds ' +
      'lookupHeadersSealed notifySealed outputs criteria redaction appointmentTexts drafts bufferMinutes',
  },
  calendarEntries: {
    personal: {},
    others: 'calendarId appointmentId accountId sequence startsAt endsAt isThere etag attempts nextAttemptAt error',
  },
  calendarFeeds: { personal: {}, others: 'businessId accountId tokenHash names createdAt' },
  calendars: {
    personal: { name: 'account', resource: 'account', address: 'account' },
    others:
      'id accountId businessId kind sealed writes names state error readAt parsedAt tag busyTimes dueAt createdAt renewingUntil',
  },
  calendarSignIns: {
    personal: {},
    others: 'id accountId kind state error sealed askAt askEveryMs expiresAt createdAt',
  },
  calendarSpans: { personal: {}, others: 'calendarId startsAt endsAt' },
  callContinuations: { personal: { sealed: 'call' }, others: 'callId engineId writtenAt' },
  callCounts: { personal: {}, others: 'accountId filter value day total changes' },
  callDays: { personal: {}, others: 'accountId day direction status reason calls ended answered answeredSeconds' },
  callDialogs: { personal: { dialog: 'call' }, others: 'callId leg updatedAt' },
  callFeed: { personal: { data: 'call' }, others: 'seq accountId callId type createdAt' },
  callGaps: { personal: {}, others: 'accountId day gapMs calls' },
  callSweeps: { personal: {}, others: 'accountId erasedUntil sweptAt' },
  callOutputs: { personal: { value: 'call' }, others: 'accountId name startedAt callId score' },
  callProblems: { personal: { note: 'call' }, others: 'callId atMs accountId kind createdAt' },
  // The number that a call went to, until it is priced, some seconds after its end.
  callUses: { personal: { uses: 'done' }, others: 'id accountId subjectId createdAt' },
  callTimelines: { personal: { data: 'call' }, others: 'callId accountId' },
  calls: {
    personal: {
      contactId: 'call',
      fromNumber: 'call',
      toNumber: 'call',
      forwardedFrom: 'call',
      callerName: 'call',
      summary: 'call',
      tags: 'call',
      transcript: 'call',
      analysis: 'call',
      disposition: 'call',
      recordingPath: 'call',
      recordingKey: 'call',
      variables: 'call',
      metadata: 'call',
      recordJson: 'call',
    },
    others:
      'id accountId businessId campaignId agentId phoneNumberId direction medium status outcome endReason startedAt ' +
      'answeredAt endedAt durationSeconds sentiment latency waits recordingFormat trunkId engineId createdAt usage cost languages agentVersion businessVersion ' +
      'fallbacks sipStatus q850Cause erasedAt recordingState recordingBytes score',
  },
  campaignTotals: {
    personal: {},
    others: 'campaignId accountId calls completed successful failed voicemails answered answeredSeconds',
  },
  campaigns: {
    personal: {
      name: 'account',
      description: 'account',
      voicemailMessage: 'account',
      greetingTemplate: 'account',
      instructions: 'account',
      destinations: 'account',
    },
    others:
      'id accountId agentId businessId status scheduledAt callingWindow maxConcurrentCalls maxAttempts ' +
      'retryDelayMinutes voicemailAction recordingEnabled recordingFormat listeningNotice toolIds outputs criteria split startedAt completedAt createdAt deletedAt',
  },
  canaries: {
    personal: { changes: 'account' },
    others:
      'id accountId subject subjectId version publishedVersion share calls actor createdAt endedAt result verdict',
  },
  carrierOrders: {
    personal: {},
    others:
      'id carrierId accountId phoneNumber phoneNumberId state isUnwanted tries error attendedUntil dueAt createdAt changedAt',
  },
  carriers: {
    personal: { name: 'installation', keyId: 'installation' },
    others:
      'id kind keySealed keyEnd offeredTo monthlyCost trunkId trunkParts trunkSecret textParts testedAt findings createdAt',
  },
  charges: {
    personal: {},
    others:
      'id accountId kind phoneNumber amount currency status paymentIntentId attempts purpose idempotencyKey ' +
      'failingSince createdAt settledAt phoneNumberId campaignId isPurchase isUndone attendedUntil',
  },
  contactCounts: { personal: {}, others: 'campaignId status accountId total' },
  contactSeconds: { personal: {}, others: 'campaignId second status total' },
  contacts: {
    personal: { phoneNumber: 'contact', name: 'contact', email: 'contact', variables: 'contact', metadata: 'contact' },
    others: 'id accountId campaignId status attempts lastCallId nextAttemptAt createdAt',
  },
  conversations: {
    personal: { personNumber: 'conversation', sealed: 'conversation' },
    others:
      'id accountId kind businessId campaignId agentId phoneNumberId ownNumber answeredBy takenBy note silentUntil ' +
      'dueAt claimedBy claimUntil attempts lastMessageAt createdAt',
  },
  cursors: { personal: {}, others: 'name value' },
  costDays: {
    personal: {},
    others: 'accountId day businessId campaignId agentId currency calls partialCalls llm stt tts trunk total',
  },
  costs: {
    personal: {},
    others:
      'subjectId accountId businessId campaignId agentId beganAt lines currency llm stt tts trunk total isEstimated isPartial',
  },
  dialAttempts: {
    personal: { toNumber: 'call', contactId: 'call' },
    others: 'id accountId callId campaignId trunkId claimedAt endedAt outcome',
  },
  documentNames: { personal: { terms: 'account' }, others: 'documentId accountId businessId' },
  documents: {
    personal: { name: 'account', sourceUrl: 'account', error: 'account', textHash: 'account' },
    others:
      'id accountId businessId kind characters passages createdAt refreshHours refreshAt readAt indexVersion ' +
      'vectorKind vectorsDueAt vectorFailures vectorError',
  },
  documentVectors: { personal: { vectors: 'account' }, others: 'documentId block accountId businessId kind seqs' },
  doNotCall: {
    personal: { phoneNumber: 'do-not-call', reason: 'do-not-call' },
    others: 'id accountId source createdAt',
  },
  drafts: { personal: { changes: 'account' }, others: 'subjectId accountId subject number createdAt' },
  engineRequests: {
    personal: { payload: 'call', result: 'call' },
    others: 'id accountId kind callId target createdAt expiresAt claimedAt claimedBy doneAt',
  },
  engines: {
    personal: {},
    others:
      'id home release pid hostname startedAt heartbeatAt state sipUri mediaWsUrl controlUrl telephonyUp maxCalls ' +
      'activeCalls models metrics pidNamespace isLate clockSkewMs',
  },
  engineVoices: { personal: {}, others: 'id voices' },
  events: { personal: { data: 'call' }, others: 'seq id accountId type subjectId dedupe createdAt' },
  // Ids of rows.
  fileDeletions: { personal: {}, others: 'key dueAt createdAt' },
  idempotencyKeys: {
    personal: { response: 'call' },
    others: 'accountId key method path bodyHash statusCode owner createdAt',
  },
  inventory: {
    personal: {},
    others:
      'phoneNumber country areaCode type capabilities monthlyCost trunkId reservedBy reservedUntil ownedBy retiredAt ' +
      'createdAt carrierId carrierPrice',
  },
  jobs: { personal: {}, others: 'name lastRunAt' },
  knowledgeNames: {
    personal: { term: 'account', sound: 'account', grams: 'account' },
    others: 'seq accountId businessId mark uses',
  },
  leases: { personal: {}, others: 'name holder epoch expiresAt' },
  liveViews: { personal: { words: 'call' }, others: 'callId accountId watchedUntil version' },
  // The key is the hash of an address, or the network that failed.
  loginFailures: { personal: { key: 'done' }, others: 'failures firstAt lockedUntil' },
  // Sealed.
  mails: { personal: { box: 'done' }, others: 'id attempts nextAttemptAt expiresAt createdAt' },
  messages: {
    personal: { text: 'conversation', sealed: 'conversation', error: 'conversation' },
    others:
      'id accountId conversationId author userId segments status carrierId reference attempts dueAt createdAt doneAt',
  },
  modelSettings: {
    personal: {},
    others:
      'kind engine baseUrl model voices voice keySealed keyEnd fallbackBaseUrl fallbackModel fallbackKeySealed ' +
      'fallbackKeyEnd revision changedAt',
  },
  // Of calls they have ids alone.
  noticeMessages: {
    personal: { recipient: 'account', error: 'done' },
    others:
      'id accountId businessId target channel kinds notices status attempts nextAttemptAt isTest createdAt doneAt',
  },
  notices: {
    personal: {},
    others: 'id accountId businessId target kind subjectId callId dueAt messageId createdAt',
  },
  oneTimeTokens: { personal: {}, others: 'tokenHash kind userId tries expiresAt usedAt createdAt appEnv provider' },
  passages: {
    personal: { heading: 'account', body: 'account', headingTerms: 'account', bodyTerms: 'account' },
    others: 'seq documentId accountId businessId mark',
  },
  phoneNumbers: {
    personal: { routes: 'account' },
    others:
      'id accountId phoneNumber country areaCode type capabilities monthlyCost campaignId isActive status trunkId ' +
      'createdAt releasedAt releaseAskedAt suspendedAt sipAlias',
  },
  // The files themselves are deleted with the rows.
  portDocuments: {
    personal: { fileName: 'done', path: 'done' },
    others: 'id accountId portOrderId kind contentType bytes createdAt',
  },
  portOrders: {
    personal: { accountHolder: 'account', statusHistory: 'account' },
    others: 'id accountId phoneNumber loaSignedAt status focDate createdAt carrier carrierAskedAt carrierEndedAt',
  },
  prices: {
    personal: {},
    others: 'id kind engine model trunkId direction prefix rates firstSeconds stepSeconds currency validFrom createdAt',
  },
  processes: { personal: {}, others: 'id kind hostname startedAt heartbeatAt' },
  readInvites: {
    // The called number is one of ours, or nobody's.
    personal: { callerReceived: 'call', callerNumber: 'call' },
    others: 'id trunkId calledReceived calledNumber rule createdAt',
  },
  recoveryCodes: { personal: {}, others: 'userId codeHash usedAt' },
  refreshTokens: {
    personal: { userAgent: 'done', address: 'done' },
    others: 'tokenHash familyId userId expiresAt usedAt revokedAt createdAt appEnv signedInAt provider endsAt',
  },
  refusedCalls: {
    personal: { calledNumber: 'call', callerNumber: 'call' },
    others: 'id sourceAddress trunkId sipStatus reason count createdAt',
  },
  rerunCalls: { personal: {}, others: 'rerunId accountId callId error' },
  reruns: {
    personal: {},
    others:
      'id accountId businessId campaignId fromMs toMs missingOnly webhooks status total done failed error touchedAt ' +
      'createdAt endedAt',
  },
  revokedTokens: { personal: {}, others: 'jti expiresAt' },
  scheduledCalls: {
    personal: { toNumber: 'done', variables: 'done', metadata: 'done', reason: 'done', problem: 'done' },
    others:
      'id accountId businessId campaignId agentId phoneNumberId fromNumber scheduledAt nextTryAt requestedBy inCallId ' +
      'createdAt',
  },
  settings: { personal: {}, others: 'name value' },
  sipAccounts: {
    personal: { username: 'installation', displayName: 'installation' },
    others: 'id accountId passwordSealed callsTo enabled createdAt deletedAt',
  },
  sipBindings: {
    personal: { contact: 'done', address: 'done', userAgent: 'done', sipCallId: 'done', path: 'done' },
    others: 'sipAccountId transport port cseq hash registeredAt expiresAt',
  },
  // An account wrote or imported it to try its agents with; it goes with its suite, or with the call that it is of.
  testCases: {
    personal: { name: 'account', definition: 'account' },
    others: 'id accountId suiteId kind position callId createdAt updatedAt',
  },
  testClips: { personal: { audio: 'call' }, others: 'caseId position accountId suiteId callId sampleRateHz' },
  testRecordings: { personal: { audio: 'call' }, others: 'resultId accountId runId bytes createdAt' },
  testResults: {
    personal: { caseName: 'account', definition: 'account', transcript: 'account', checks: 'account' },
    others:
      'id accountId runId caseId kind position status error callId recording attempts claimedBy claimUntil durationMs',
  },
  testRuns: {
    personal: {},
    others:
      'id accountId suiteId status cause seed agentVersion businessVersion total passed failed errors bytes touchedAt ' +
      'createdAt startedAt endedAt',
  },
  testSuites: {
    personal: { name: 'account' },
    others: 'id accountId businessId campaignId agentId runOnSave requiredToPublish judge dueAt createdAt updatedAt',
  },
  // A person who wants no texts is not written to again: START alone ends it.
  textOptOuts: { personal: { personNumber: 'do-not-call' }, others: 'accountId ownNumber createdAt' },
  // Texts that an account wrote about its own systems.
  tools: {
    personal: { name: 'account', description: 'account', url: 'account', sayWhile: 'account', phrases: 'account' },
    others:
      'id accountId kind method headerNames headersSealed parameters timeoutMs mode assigns whenInterrupted createdAt deletedAt version ' +
      'onlyNames catalogue catalogueAt catalogueTriedAt catalogueError',
  },
  transferLegs: { personal: { number: 'done' }, others: 'callId accountId answeredAt trunkId' },
  trunkStates: {
    personal: {},
    others:
      'trunkId registrationState registrationExpiresAt healthState healthCheckedAt lastError lastErrorAt updatedAt',
  },
  trunks: {
    personal: { name: 'installation', username: 'installation', authUsername: 'installation' },
    others:
      'id host port transport passwordSealed fromDomain outboundProxy register inboundAllow codecs maxConcurrentCalls ' +
      'callsPerSecond country inboundFormat dialFormat dialPrefix callerIdHeader srtp optionsPing acceptsRefer createdAt deletedAt ' +
      'backupTrunkId destinations',
  },
  turnMinutes: { personal: {}, others: 'accountId minute turns failed unheard' },
  // The provider's id of a person says who it is to whoever asks the provider; it goes with the user.
  userIdentities: { personal: { subject: 'account' }, others: 'issuer userId createdAt lastUsedAt' },
  users: {
    personal: { email: 'account' },
    others:
      'id accountId passwordHash role emailVerifiedAt totpSecret totpEnabledAt totpLastStep createdAt sessionGeneration language access',
  },
  versions: {
    personal: { content: 'account' },
    others: 'id accountId subject subjectId number actor restoredFrom createdAt baseNumber liveFrom liveUntil',
  },
  webhookDeliveries: {
    personal: { requestBody: 'call', responseBody: 'call' },
    others:
      'id accountId webhookId eventId eventType url attempt success statusCode error durationMs isReplay isTest ' +
      'createdAt nextRetryAt',
  },
  widgetCalls: { personal: {}, others: 'callId accountId keyId createdAt' },
  widgetDays: { personal: {}, others: 'keyId day accountId calls messages' },
  widgetKeys: {
    personal: {},
    others:
      'id accountId campaignId name publicKey previousKey previousUntil origins allows callsPerDay minutesPerDay ' +
      'messagesPerDay callsAtOnce captchaUrl expiresAt isActive createdAt',
  },
  widgetRefusals: { personal: {}, others: 'keyId day reason accountId requests origin lastAt' },
  // The hash of what a browser was given; it goes with the conversation.
  widgetVisitors: { personal: {}, others: 'tokenHash accountId keyId conversationId createdAt' },
  webhookQueue: { personal: {}, others: 'webhookId eventSeq accountId attempts nextAttemptAt createdAt' },
  webhooks: {
    personal: { url: 'account' },
    others:
      'id accountId events isActive secretDigest lastTriggeredAt failureCount failingSince disabledReason createdAt ' +
      'deletedAt activeFromSeq deliveryCount deliveredCount',
  },
};
