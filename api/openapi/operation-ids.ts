// The name of every operation for generated clients: from method and path; a word after an id is a verb. Operations
// with a bad name by this rule have their own line.

const OWN: Record<string, string> = {
  'GET /healthz': 'getHealth',
  'GET /readyz': 'getReadiness',
  'POST /auth/register': 'register',
  'POST /auth/login': 'login',
  'POST /auth/logout': 'logout',
  'POST /auth/refresh': 'refreshSession',
  'POST /auth/verify-email': 'verifyEmail',
  'POST /auth/resend-verification': 'resendVerification',
  'POST /auth/accept-invite': 'acceptInvite',
  'POST /auth/forgot-password': 'forgotPassword',
  'POST /auth/reset-password': 'resetPassword',
  'POST /auth/verify-2fa': 'verifySecondFactor',
  'POST /auth/2fa/setup': 'setUpSecondFactor',
  'POST /auth/2fa/enable': 'enableSecondFactor',
  'POST /auth/2fa/disable': 'disableSecondFactor',
  'GET /auth/me': 'getCurrentUser',
  'GET /auth/tokens': 'listAccessTokens',
  'POST /auth/tokens': 'createAccessToken',
  'DELETE /auth/tokens/{id}': 'revokeAccessToken',
  'GET /auth/sessions': 'listSessions',
  'DELETE /auth/sessions': 'endOtherSessions',
  'DELETE /auth/sessions/{id}': 'endSession',
  'POST /auth/change-password': 'changePassword',
  'GET /admin/trunks/{id}/invites': 'listReadInvites',
  'GET /account': 'getAccount',
  'PATCH /account': 'updateAccount',
  'GET /account/overview': 'getOverview',
  'GET /account/audit-log': 'listAuditLog',
  'GET /admin/audit-log': 'listInstallationAuditLog',
  'GET /account/users': 'listUsers',
  'POST /account/users': 'inviteUser',
  'DELETE /account/users/{id}': 'removeUser',
  'GET /account/billing': 'getBilling',
  'POST /account/billing/setup': 'setUpBilling',
  'GET /account/charges': 'listCharges',
  'GET /admin/accounts': 'listAccounts',
  'PATCH /admin/accounts/{id}': 'updateAnyAccount',
  'GET /agents/{id}/versions/{number}': 'getAgentVersion',
  'POST /agents/{id}/versions/{number}/restore': 'restoreAgentVersion',
  'GET /agents/{id}/draft': 'getAgentDraft',
  'POST /agents/{id}/discard': 'discardAgentDraft',
  'GET /agents/{id}/canaries': 'listAgentCanaries',
  'POST /agents/{id}/canary/stop': 'stopAgentCanary',
  'GET /businesses/{id}/versions/{number}': 'getBusinessVersion',
  'POST /businesses/{id}/versions/{number}/restore': 'restoreBusinessVersion',
  'GET /businesses/{id}/draft': 'getBusinessDraft',
  'POST /businesses/{id}/discard': 'discardBusinessDraft',
  'GET /businesses/{id}/canaries': 'listBusinessCanaries',
  'POST /businesses/{id}/canary/stop': 'stopBusinessCanary',
  'GET /tools/{id}/versions/{number}': 'getToolVersion',
  'POST /tools/{id}/versions/{number}/restore': 'restoreToolVersion',
  'GET /tools/{id}/draft': 'getToolDraft',
  'POST /tools/{id}/discard': 'discardToolDraft',
  'GET /businesses/{id}/audit-log': 'listBusinessAuditLog',
  'GET /businesses/{id}/calendar-feed': 'getCalendarFeed',
  'POST /businesses/{id}/calendar-feed': 'makeCalendarFeed',
  'DELETE /businesses/{id}/calendar-feed': 'deleteCalendarFeed',
  'GET /businesses/{id}/calendar.ics': 'readCalendarFeed',
  'GET /businesses/{id}/calendars': 'listCalendars',
  'POST /businesses/{id}/calendars': 'connectCalendar',
  'PATCH /businesses/{id}/calendars/{calendarId}': 'updateCalendar',
  'POST /businesses/{id}/calendars/{calendarId}/refresh': 'refreshCalendar',
  'DELETE /businesses/{id}/calendars/{calendarId}': 'removeCalendar',
  'GET /businesses/{id}/hold-music': 'getHoldMusic',
  'GET /businesses/{id}/hold-music/audio': 'getHoldMusicAudio',
  'GET /businesses/{id}/notices': 'listNotices',
  'POST /businesses/{id}/notices/test': 'testNotice',
  'POST /businesses/{id}/generate-services': 'generateServices',
  'POST /businesses/{id}/generate-faqs': 'generateFaqs',
  'POST /businesses/{id}/reruns': 'startRerun',
  'GET /businesses/{id}/reruns': 'listReruns',
  'GET /businesses/{id}/reruns/{rerunId}': 'getRerun',
  'POST /businesses/{id}/reruns/{rerunId}/cancel': 'cancelRerun',
  'GET /test-suites/{id}/cases': 'listTestCases',
  'POST /test-suites/{id}/cases': 'addTestCase',
  'POST /test-suites/{id}/runs': 'startTestRun',
  'POST /calls/{id}/keep-as-test': 'keepCallAsTest',
  'POST /test-suites/{id}/import': 'importTranscript',
  'GET /test-runs/{id}/results': 'listTestResults',
  'GET /test-runs/{id}/junit.xml': 'getTestRunAsJunit',
  'GET /test-results/{id}/audio': 'getTestRecording',
  'POST /businesses/{id}/documents': 'addDocument',
  'GET /businesses/{id}/documents': 'listDocuments',
  'GET /businesses/{id}/documents/{documentId}': 'getDocument',
  'DELETE /businesses/{id}/documents/{documentId}': 'deleteDocument',
  'POST /businesses/{id}/documents/search': 'searchDocuments',
  'POST /businesses/{id}/documents/upload': 'uploadDocument',
  'POST /businesses/{id}/documents/{documentId}/refresh': 'refreshDocument',
  'POST /businesses/{id}/extract-from-url': 'extractFromUrl',
  'POST /businesses/read-site': 'readSite',
  'POST /campaigns/{id}/contacts': 'addContacts',
  'DELETE /campaigns/{id}/contacts/{contactId}': 'removeContact',
  'GET /campaigns/{id}/stats': 'getCampaignStats',
  'POST /calls': 'placeCall',
  'POST /calls/web': 'placeWebCall',
  'POST /calls/{id}/control': 'controlCall',
  'POST /calls/{id}/listen': 'listenToCall',
  'DELETE /calls/{id}': 'eraseCall',
  'GET /calls/export': 'exportCalls',
  'GET /calls/{id}/transcript': 'getTranscript',
  'GET /calls/{id}/audio': 'getRecording',
  'GET /calls/{id}/timeline.svg': 'getTimelinePicture',
  'GET /calls/{id}/stream': 'streamCall',
  'GET /live': 'listLiveCalls',
  'GET /do-not-call': 'listDoNotCall',
  'POST /do-not-call': 'addDoNotCall',
  'DELETE /do-not-call/{phoneNumber}': 'removeDoNotCall',
  'GET /phone-numbers/search': 'searchNumbers',
  'POST /phone-numbers/purchase': 'purchaseNumber',
  'DELETE /phone-numbers/{id}': 'releasePhoneNumber',
  'GET /phone-numbers/port-in': 'listPortOrders',
  'POST /phone-numbers/port-in': 'createPortOrder',
  'GET /phone-numbers/port-in/{id}': 'getPortOrder',
  'POST /phone-numbers/port-in/{id}/cancel': 'cancelPortOrder',
  'POST /phone-numbers/port-in/{id}/documents': 'uploadPortDocument',
  'GET /admin/port-orders': 'listAllPortOrders',
  'PATCH /admin/port-orders/{id}': 'movePortOrder',
  'GET /admin/port-orders/{id}/documents/{documentId}': 'downloadPortDocument',
  'GET /admin/settings': 'getSettings',
  'PATCH /admin/settings': 'updateSettings',
  'GET /admin/model-settings': 'getModelSettings',
  'PATCH /admin/model-settings/{kind}': 'updateModelSettings',
  'POST /admin/model-settings/{kind}/test': 'testModelSettings',
  'GET /admin/status': 'getStatus',
  'GET /admin/inventory': 'listInventory',
  'POST /admin/inventory': 'addInventory',
  'PATCH /admin/inventory/{phoneNumber}': 'updateInventory',
  'DELETE /admin/inventory/{phoneNumber}': 'removeInventory',
  'GET /voices/{id}/preview': 'getVoicePreview',
  'POST /webhooks/{id}/rotate-secret': 'rotateWebhookSecret',
  'GET /webhooks/{id}/deliveries': 'listDeliveries',
  'POST /webhooks/{id}/deliveries/{deliveryId}/replay': 'replayDelivery',
};

const VERBS: Record<string, string> = { post: 'create', patch: 'update', delete: 'delete' };

/** `path` is the document's: `/api/v1/campaigns/{id}/start`. */
export function operationId(method: string, path: string): string {
  const short = path.replace(/^\/api\/v1/, '');
  const own = OWN[`${method.toUpperCase()} ${short}`];
  if (own !== undefined) return own;
  const parts = short.split('/').filter((part) => part !== '' && part !== 'admin');
  const names = parts.filter((part) => !part.startsWith('{'));
  const last = names.at(-1) ?? '';
  const isItem = parts.at(-1)?.startsWith('{') === true;
  // The word after an id is an action on the resource before it: /campaigns/{id}/start.
  const isAction = !isItem && method === 'post' && parts.at(-2)?.startsWith('{') === true;
  if (isAction) return last + pascal(singular(names.at(-2) ?? ''));
  if (method === 'get') return isItem ? `get${pascal(singular(last))}` : `list${names.map(pascalOf(names)).join('')}`;
  return `${VERBS[method] ?? method}${pascal(singular(last))}`;
}

/** All names but the last are singular: `/campaigns/{id}/calls` lists CampaignCalls. */
const pascalOf = (names: readonly string[]) => (name: string, index: number) =>
  pascal(index < names.length - 1 ? singular(name) : name);

export const pascal = (name: string): string =>
  name.replace(/(?:^|[-_.])(\w)/g, (_, letter: string) => letter.toUpperCase());

const singular = (name: string): string => name.replace(/sses$/, 'ss').replace(/(?<!s)s$/, '');
