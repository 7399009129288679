import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BaseResolver, createConfig, lintDocument, makeDocumentFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { SCOPES } from '../../apps/api/src/oauth/scopes.js';
import { ERROR_CODES } from '../../apps/api/src/platform/errors/error-codes.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

const RESONANCE =
  'horizon,empathy,openness,conscientiousness,agreeableness,extraversion,emotionalStability,assertiveness,activeListening,adaptability,authenticity,respectfulness,curiosity,patience,optimism,humility,currentTraits,idealTraits';

/**
 * The calls and fields that the product's contract names (rule general-4), against the OpenAPI document of the
 * API. Extra calls and fields are welcome; none of these may be missing.
 */
const CALLS: readonly (readonly [call: string, request: string, answer: string])[] = [
  [
    'GET /api/auth/user',
    '',
    'user{id,displayName,profileImageUrl,profileCardThumbnailUrl,profileCardContent,email,isAdmin,novaBalance,purchasedNova,earnedNova}',
  ],
  ['POST /api/auth/register', 'displayName,email,password,pin,tcConsent,tcVersion', ''],
  ['POST /api/auth/signin', 'email,password,tcConsent,tcVersion', ''],
  ['POST /api/auth/signout', '', ''],
  ['GET /api/devices/by-email', 'email,password', 'devices[id,userAgent,createdAt],count,limit'],
  ['DELETE /api/devices/{id}', 'email,password', ''],
  ['GET /api/nova/transactions', '', 'transactions[id,type,amount,description,createdAt]'],
  ['POST /api/nova/create-payment-intent', 'amount', 'clientSecret'],
  ['POST /api/nova/confirm-purchase', 'paymentIntentId', ''],
  ['GET /api/admin/stats', '', 'totalUsers,totalChats,novaInCirculation,activeQuests'],
  [
    'GET /api/admin/users',
    'search,page,limit',
    'users[id,displayName,email,profileImageUrl,isAdmin,novaBalance,purchasedNova,earnedNova,rating,ratingCount,createdAt],pagination',
  ],
  [
    'GET /api/admin/transactions',
    'search,page,limit,type,startDate,endDate',
    'transactions[id,type,amount,description,createdAt,userName,userEmail],pagination',
  ],
  ['POST /api/admin/users/{id}/add-nova', 'amount,reason', ''],
  ['POST /api/admin/users/{id}/deduct-nova', 'amount,reason', ''],
  ['GET /api/quests', '', 'quests[id,title,description,reward,startTime,endTime,isActive,rules]'],
  ['GET /api/quests/progress', '', 'progress[questId,isCompleted,rewardClaimed,countersJSON]'],
  ['POST /api/quests/{id}/claim', '', 'reward'],
  ['POST /api/admin/quests', 'title,description,reward,startTime,endTime,rules', ''],
  ['DELETE /api/admin/users/{id}', '', ''],
  ['POST /api/admin/users/{id}/reset-password', 'newPassword', ''],
  ['POST /api/admin/users/{id}/reset-pin', 'newPin', ''],
  ['POST /api/admin/users/{id}/change-rating', 'rating', ''],
  [
    'GET /api/admin/users/{id}/comments',
    '',
    'user,stats{totalRatingsReceived,totalRatingsMade,averageRatingReceived,averageRatingGiven},ratingsAboutUser[id,raterName,rating,comment,explanation,chatId,createdAt],ratingsMadeByUser[id,ratedUserName,rating,comment,explanation,chatId,createdAt]',
  ],
  ['POST /api/admin/block-email', 'email,reason', ''],
  ['GET /api/users/search', 'query', 'users'],
  [
    'GET /api/gifts/history',
    '',
    'gifts[id,senderId,recipientId,amount,recipientShare,influenceShare,createdAt,sender,recipient]',
  ],
  ['POST /api/gifts/send', 'recipientId,amount', ''],
  ['POST /api/messages', 'chatId,text,senderId', ''],
  ['GET /api/chats/inbound-priority', '', 'chats'],
  ['GET /api/chats/pending-requests', '', 'requests[id,hostId]'],
  ['POST /api/chats/accept-request/{id}', '', 'message,chatId'],
  ['POST /api/chats/decline-request/{id}', '', ''],
  ['POST /api/chats/{id}/accept', '', ''],
  ['POST /api/chats/{id}/decline', '', ''],
  ['POST /api/chats/initiate', 'hostId,initiatorProfileData,hostProfileData', 'message'],
  [
    'GET /api/chats/{id}',
    '',
    'id,status,initiatorId,hostId,initiator{displayName},host{displayName},exchangeCount,validHostCharacterCount,totalCharacterCount,isSuccessful,initiatorRating,hostRating,messages[id,createdAt,message,text,senderId,timestamp,chatId]',
  ],
  ['POST /api/chats/{id}/exit', '', ''],
  ['POST /api/chats/{id}/messages', 'message', ''],
  ['POST /api/chats/{id}/nudge', '', ''],
  ['POST /api/chats/{id}/verify', 'isSuccessful', ''],
  [
    'POST /api/chats/{id}/rate',
    'rating,comment,follow,explanation',
    'novaEarned,isInitiator,influencePointsEarned,totalInfluencePoints,currentNovaBalance,totalEarnedNova,karmaTokenProgress{hasKarmaToken,current,required,percentage},perpetualBenefits{hasTokenRewards,hasThreadRewards,totalTokenRewards,totalThreadRewards,tokenBreakdown,threadBreakdown}',
  ],
  [
    'GET /api/chats/completed-history',
    '',
    'chatHistories[chatId,otherUser,completedAt,novaEarned,influencePointsEarned,isInitiator,exchangeCount,myRating,theirRating,totalCharacters]',
  ],
  [
    'GET /api/status/dashboard',
    '',
    'earnedNova,influenceTokens,karmaTokens,karmaTokenBalance,rating,completedChats,pendingRatings,pendingRewards,purchasedNova,followPermissions',
  ],
  ['GET /api/status/pending-ratings', '', '[chatId,otherUserName,otherUserAvatar,chatPrice]'],
  ['GET /api/status/nova-breakdown', '', ''],
  ['POST /api/status/submit-rating', 'chatId,rating,comment', 'rewardsReleased'],
  ['POST /api/status/create-test-perks', '', ''],
  ['POST /api/status/burn-tokens', 'earnedNovaAmount,karmaAmount,influenceAmount', 'message'],
  [
    'GET /api/personal-threads',
    'ownerId',
    '[id,blockNumber,connectedUser{displayName,profileImageUrl},connectedUserMood,connectedUserRating,connectedUserComment,connectionType,ownerRole,ownerRating,ownerComment,personalNovaReceived,createdAt]',
  ],
  [
    'GET /api/profile',
    '',
    'id,displayName,bio,location,website,email,profileImageUrl,profileCardThumbnailUrl,profileCardContent,profileCardContentId,isOnline,allowDirectChats,minimumChatPrice,averageRating,successRate,responseTimeMinutes,completedChats,totalEarnings',
  ],
  ['PATCH /api/profile', 'displayName,bio,location,website', ''],
  ['POST /api/profile/thumbnail', '', 'message'],
  ['POST /api/profile/image', 'imageUrl', ''],
  ['POST /api/users/update-profile', 'mood,status,occupation,ambitions,relationshipStatus', ''],
  ['PATCH /api/profile/settings', 'isOnline,allowDirectChats,minimumChatPrice', ''],
  ['GET /api/resonance', '', RESONANCE],
  ['POST /api/resonance', RESONANCE, ''],
  ['GET /api/status-bar', '', 'dailyPoints,currentLevel,streakDays,boostTokens,prioritySlots'],
  [
    'GET /api/content/feed',
    'limit,offset',
    'posts[id,authorId,author,createdAt,promotionStage,engagementScore,feedRank,mediaUrl,caption,hashtags,viewCount,likeCount,commentCount,avgRating,ratingCount,qualifiedViews,completeViews,isLikedByUser]',
  ],
  ['POST /api/events', 'postId,authorId,eventType,dwellTime,watchPercent,eventValue', 'score'],
  ['POST /api/scroll', 'postId', 'novaDeducted'],
  ['POST /api/content/{id}/like', '', ''],
  ['DELETE /api/content/{id}/like', '', ''],
  ['POST /api/content/{id}/rate', 'rating', ''],
  ['POST /api/discovery/upvote', 'profileId', 'compatibilityScore,positionChanged'],
  ['POST /api/profile/navigate', 'profileId,novaCost', ''],
  [
    'GET /api/discovery/feed',
    'search,minRating,onlineOnly,mediaType',
    'profiles[id,displayName,profileImageUrl,profileCardThumbnailUrl,profileCardContent,mediaUrl,rating,ratingCount,followerCount,followingCount,isOnline,mood,status,occupation,ambitions,relationshipStatus,compatibilityScore,cooldownUntil]',
  ],
  [
    'GET /api/admin/content',
    'search,page,limit,contentType',
    'content[id,contentType,mediaUrl,thumbnailUrl,caption,hashtags,authorName,authorEmail,viewCount,likeCount,commentCount,engagementScore,totalEarnings,createdAt],pagination',
  ],
  ['GET /api/admin/content/upload-url', '', 'uploadURL'],
  ['POST /api/admin/content/assign', 'userId,mediaUrl,contentType', ''],
  ['PUT /api/profile/card-content', 'contentId', ''],
  ['DELETE /api/profile/card-content', '', ''],
  ['POST /api/profile/image-upload-url', '', 'uploadURL'],
  [
    'GET /api/content/my-discovery',
    '',
    '[id,contentType,mediaUrl,thumbnailUrl,caption,hashtags,viewCount,likeCount,commentCount,engagementScore,totalEarnings,createdAt]',
  ],
  [
    'GET /api/content/my-scroll-feed',
    '',
    '[id,contentType,mediaUrl,thumbnailUrl,caption,hashtags,viewCount,likeCount,commentCount,engagementScore,totalEarnings,createdAt]',
  ],
  ['POST /api/content/scroll-feed', 'contentType,mediaUrl,caption,hashtags', ''],
  ['POST /api/content/discovery', 'contentType,mediaUrl,caption,hashtags', ''],
  ['POST /api/content/upload-url', '', 'uploadURL'],
  ['DELETE /api/content/{id}', '', ''],
  [
    'GET /api/oauth/my-applications',
    '',
    '[id,clientId,name,description,logoUrl,applicationUrl,redirectUris,scopes,isActive,createdAt]',
  ],
  [
    'GET /api/oauth/applications',
    '',
    'applications[id,name,description,logoUrl,grantedScopes,firstConsentAt,lastConsentAt]',
  ],
  ['POST /api/oauth/register-app', 'name,description,logoUrl,applicationUrl,redirectUris,scopes', 'clientSecret'],
  ['POST /api/oauth/regenerate-secret', 'clientId', 'clientSecret'],
  ['DELETE /api/oauth/application/{clientId}', '', ''],
  ['POST /api/oauth/revoke', 'client_id', ''],
  ['GET /api/oauth/client-info/{client_id}', '', 'name,description,logoUrl,applicationUrl'],
  ['POST /api/oauth/consent', 'client_id,redirect_uri,scopes,state,approved', 'redirect_url'],
  ['GET /oauth/authorize', 'client_id,redirect_uri,response_type,scope,state', ''],
  [
    'POST /oauth/token',
    'grant_type,code,redirect_uri,client_id,client_secret,refresh_token',
    'access_token,id_token,refresh_token',
  ],
  ['GET /oauth/userinfo', '', 'sub'],
  ['GET /api/oauth/token-balances', '', ''],
  ['POST /api/tokens/earn', 'amount,description', ''],
  ['POST /api/tokens/spend', 'amount,description', ''],
  ['POST /api/tokens/transfer', 'recipientId,amount,description', ''],
  ['GET /api/tokens/transactions', '', ''],
];

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
}
interface Content {
  readonly $ref?: string;
  readonly headers?: object;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Document {
  readonly openapi: string;
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Content>>;
    readonly securitySchemes: Readonly<
      Record<
        string,
        { readonly bearerFormat?: string; readonly flows?: { readonly authorizationCode: { readonly scopes: object } } }
      >
    >;
  };
}

const schemaOf = (content: Content | undefined) => Object.values(content?.content ?? {})[0]?.schema;

/**
 * `accept-request/{id}` stands in the product's contract beside `/api/chats/{id}/…`, and releases promise to keep the address of a
 * post; the router prefers the fixed words.
 */
const PROMISED =
  /^no-ambiguous-paths: .* `\/api\/(?:chats\/accept-request|content\/posts)\/\{id\}` and `\/api\/(?:chats|content)\/\{id\}\/\w+`\.$/;

/** A verb, then what it is done to; what needs nothing more is a sign-in and the like. */
const OPERATION_ID =
  /^(?:accept|add|apply|approve|assign|authorize|become|begin|block|boost|burn|change|check|choose|claim|clear|close|confirm|count|create|decide|decline|deduct|delete|discover|download|earn|exchange|exit|explain|export|find|follow|fund|get|introspect|lift|like|list|make|mark|navigate|nudge|order|pay|post|preview|prove|publish|rate|rebuild|receive|record|recover|redeliver|replay|rotate|regenerate|register|remove|rename|report|request|reset|reverse|revoke|save|search|send|set|settle|sign|spend|start|submit|subscribe|test|transfer|unblock|unfollow|unlike|unmake|unsubscribe|update|upvote|use|verify|withdraw|write)(?:[A-Z][a-z0-9]*)+$/;

/** `a,b{c,d},e[f]`: names, the fields of an object, the fields of a list's items. */
const parse = (text: string) =>
  [...text.matchAll(/(\w+)(?:\{([^}]*)\}|\[([^\]]*)\])?/g)].map(([, name, object, list]) => ({
    name: name ?? '',
    inside: (object ?? list)?.split(',') ?? [],
    isList: list !== undefined,
  }));

describe('the OpenAPI document', () => {
  /** As the sources say it now. */
  let described: string;
  let document: Document;
  let sdkTypes: { readonly status: number | null; readonly stdout: string };
  let clientTypes: { readonly status: number | null; readonly stdout: string };

  beforeAll(() => {
    const folder = mkdtempSync(path.join(tmpdir(), 'nova-openapi-'));
    const file = path.join(folder, 'openapi.json');
    const ofApplications = path.join(folder, 'openapi-applications.json');
    const run = (program: string, ...args: string[]): void => {
      execFileSync(process.execPath, [path.join(ROOT, program), ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
    };
    run('dist/apps/api/src/openapi.js', file, ofApplications);
    sdkTypes = spawnSync('npm', ['run', 'sdk:types:of', '--', ofApplications, '--check'], { encoding: 'utf8' });
    run('scripts/describe-api.mjs', file);
    described = readFileSync(file, 'utf8');
    document = JSON.parse(described);
    clientTypes = spawnSync('npm', ['run', 'api:types:of', '--', file, '--check'], { encoding: 'utf8' });
    rmSync(folder, { recursive: true });
  });

  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? resolve(document.components.schemas[schema.$ref.split('/').at(-1) ?? '']) : schema;

  const fieldsOf = (schema: Schema | undefined): Record<string, Schema> => {
    const node = resolve(schema);
    const parts = [...(node?.allOf ?? []), ...(node?.oneOf ?? []), ...(node?.anyOf ?? [])];
    return Object.assign({}, ...parts.map(fieldsOf), node?.properties);
  };

  const missingIn = (call: string, request: string, answer: string): string[] => {
    const [method, address] = call.split(' ') as [string, string];
    const operation = document.paths[address]?.[method.toLowerCase()];
    if (!operation) return ['the call'];
    const given = new Set([
      ...Object.keys(fieldsOf(schemaOf(operation.requestBody))),
      ...(operation.parameters ?? []).map(({ name }) => name),
    ]);
    const missing = parse(request).flatMap(({ name }) => (given.has(name) ? [] : [`request.${name}`]));
    const success = Object.entries(operation.responses).find(([status]) => status.startsWith('2'))?.[1];
    // An answer that is a list itself: `[a,b]`.
    const isWhollyList = answer.startsWith('[');
    const answered = fieldsOf(isWhollyList ? resolve(schemaOf(success))?.items : schemaOf(success));
    for (const { name, inside, isList } of parse(isWhollyList ? answer.slice(1, -1) : answer)) {
      if (!(name in answered)) missing.push(`answer.${name}`);
      const inner = fieldsOf(isList ? resolve(answered[name])?.items : answered[name]);
      missing.push(...inside.filter((field) => !(field in inner)).map((field) => `answer.${name}.${field}`));
    }
    return missing;
  };

  it.each(CALLS)('has %s with every field that the specification names', (call, request, answer) => {
    expect(missingIn(call, request, answer)).toEqual([]);
  });

  it('is what the API serves', () => {
    const committed = readFileSync(path.join(ROOT, 'apps/api/src/platform/openapi/openapi.json'), 'utf8');
    if (committed === described) return;
    throw new Error('The committed document is not what the sources say: run `npm run api:types`, and commit.');
  });

  it('is what the types of the client were made from', () => {
    if (clientTypes.status === 0) return;
    throw new Error(
      `The client’s types are not the API’s: run \`npm run api:types\`, and commit.\n${clientTypes.stdout}`,
    );
  });

  it('is what the types of the SDK were made from', () => {
    if (sdkTypes.status === 0) return;
    throw new Error(`The SDK’s types are not the API’s: run \`npm run api:types\`, and commit.\n${sdkTypes.stdout}`);
  });

  it('describes how every call is refused', () => {
    const silent = Object.entries(document.paths).flatMap(([address, methods]) =>
      Object.entries(methods)
        .filter(([, { responses }]) => !('default' in responses))
        .map(([method]) => `${method} ${address}`),
    );
    expect(silent).toEqual([]);
  });

  it('knows the fields of everything that it names', () => {
    const empty = Object.entries(document.components.schemas).filter(
      ([, { properties }]) => properties && Object.keys(properties).length === 0,
    );
    expect(empty.map(([name]) => name)).toEqual([]);
  });

  it('is OpenAPI 3.1, without what only 3.0 has', () => {
    expect(document.openapi).toMatch(/^3\.1\./);
    expect(JSON.stringify(document)).not.toMatch(/"nullable":|"exclusive(Minimum|Maximum)":(true|false)/);
  });

  it('has no finding of Redocly’s recommended rules', async () => {
    const findings = await lintDocument({
      document: makeDocumentFromString(JSON.stringify(document), '/openapi.json'),
      externalRefResolver: new BaseResolver(),
      config: (await createConfig({ extends: ['recommended'] })).styleguide,
    });
    const texts = findings.map(({ ruleId, message }) => `${ruleId}: ${message}`);
    expect(texts.filter((text) => !PROMISED.test(text))).toEqual([]);
  });

  const operations = (): (Operation & { readonly call: string })[] =>
    Object.entries(document.paths).flatMap(([address, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, call: `${method} ${address}` })),
    );

  it('names each call by a verb and what it is about, once', () => {
    const ids = operations().map(({ operationId }) => operationId);
    expect(ids.filter((id) => !OPERATION_ID.test(id))).toEqual([]);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['sendGift', 'spendTokens', 'exchangeToken']));
  });

  it('describes every tag', () => {
    const used = new Set(operations().flatMap(({ tags }) => tags));
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual([...used].toSorted());
    expect(document.tags.filter(({ description }) => !description)).toEqual([]);
  });

  /** An answer, or that of all operations which it names. */
  const answerOf = (answer: Content | undefined): Content | undefined =>
    answer?.$ref === undefined ? answer : document.components.responses[answer.$ref.split('/').at(-1) ?? ''];

  const isSuccess = (status: string): boolean => /^[23]/.test(status);

  /** Every answer of every call. */
  const answers = () =>
    operations().flatMap(({ call, responses }) =>
      Object.entries(responses).map(([status, answer]) => ({ call, status, answer: answerOf(answer) })),
    );

  /** Everything that is sent or answered, by content type. */
  const media = (): (Media & { readonly where: string; readonly type: string })[] =>
    [
      ...operations().map(({ call, requestBody }) => ({ call, status: 'request', answer: requestBody })),
      ...answers(),
    ].flatMap(({ call, status, answer }) =>
      Object.entries(answer?.content ?? {}).map(([type, one]) => ({
        ...one,
        type,
        where: `${call} ${status} ${type}`,
      })),
    );

  it('says what every call answers', () => {
    // Nothing to read: no content, a redirect, and a token that is worth nothing (RFC 7009 §2.2).
    const silent = answers().filter(({ answer }) => Object.keys(answer?.content ?? {}).length === 0);
    expect(silent.map(({ call, status }) => `${call} ${status}`).filter((one) => !/ (?:204|303)$/.test(one))).toEqual([
      'post /oauth/revoke 200',
    ]);
    expect(media().filter(({ schema }) => Object.keys(schema ?? {}).length === 0)).toEqual([]);
  });

  it('says that each refusal comes as problem details to those who ask for them', () => {
    const types = answers()
      .filter(({ call, status }) => call.includes(' /api/') && !isSuccess(status))
      .map(({ call, status, answer }) => [call, status, Object.keys(answer?.content ?? {})]);
    expect(types.length).toBeGreaterThan(1_000);
    for (const [call, status, given] of types) {
      expect([call, status, given]).toEqual([call, status, ['application/json', 'application/problem+json']]);
    }
  });

  it('has an example of everything that is sent and answered, each as its schema says', () => {
    const ajv = new Ajv2020({ strict: false });
    ajvFormats.default(ajv);
    ajv.addSchema(document, 'openapi');
    const wholly = (schema: Schema | undefined): object =>
      JSON.parse(JSON.stringify(schema ?? false).replaceAll('"#/components/', '"openapi#/components/'));
    const faults = media().flatMap(({ where, schema, example }) => {
      if (example === undefined) return [`${where}: none`];
      return ajv.validate(wholly(schema), example) ? [] : [`${where}: ${ajv.errorsText()}`];
    });
    expect(faults).toEqual([]);
  });

  it('has examples of refusals with the status under which they stand', () => {
    const wrong = answers().flatMap(({ call, status, answer }) =>
      Object.values(answer?.content ?? {})
        .map(({ example }) => (example as { readonly statusCode?: number } | undefined)?.statusCode)
        .filter((statusCode) => !isSuccess(status) && statusCode !== undefined && status !== 'default')
        .filter((statusCode) => String(statusCode) !== status)
        .map(() => `${call} ${status}`),
    );
    expect(wrong).toEqual([]);
  });

  it('names every refusal of a call, with what to wait for and what to do instead', () => {
    const answersOf = (wanted: string): string[] =>
      Object.keys(operations().find(({ call }) => call === wanted)?.responses ?? {});
    const shared = ['400', '401', '403', '404', '409', '413', '415', '422', '429', '503', 'default'];
    expect(answersOf('post /api/gifts/send')).toEqual(['201', ...shared]);
    for (const call of ['token', 'revoke', 'introspect', 'device_authorization']) {
      expect(answersOf(`post /oauth/${call}`)).toEqual(['200', '400', '401', '429', '503', 'default']);
    }
    for (const { call, responses } of operations()) {
      const headersOf = (status: string): string[] => Object.keys(answerOf(responses[status])?.headers ?? {});
      for (const status of ['429', '503']) {
        expect([call, status, headersOf(status)]).toEqual([call, status, expect.arrayContaining(['Retry-After'])]);
      }
      if (call.includes(' /api/')) expect([call, headersOf('default')]).toEqual([call, ['Allow']]);
    }
  });

  it('lists every code that a refusal can have', () => {
    const { code } = fieldsOf(document.components.schemas['ErrorBody']);
    expect(code?.allOf).toEqual([{ $ref: '#/components/schemas/ErrorCode' }]);
    expect(document.components.schemas['ErrorCode']?.enum).toEqual([...ERROR_CODES]);
  });

  it('says which scope a call needs', () => {
    expect(document.paths['/api/tokens/spend']?.['post']?.security).toEqual([{ oauth2: ['nova'] }, { bearer: [] }]);
    const { flows } = document.components.securitySchemes['oauth2'] ?? {};
    expect(Object.keys(flows?.authorizationCode.scopes ?? {})).toEqual([...SCOPES]);
  });

  it('does not take access tokens for JWTs', () => {
    expect(document.components.securitySchemes['bearer']?.bearerFormat).toBe('opaque');
  });

  // Schemas are named after their classes: of two with the same name, one would describe both.
  it('has no two shapes of one name', () => {
    const sources = path.resolve(import.meta.dirname, '../../apps/api/src');
    const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .flatMap((file) => [
        ...readFileSync(path.join(sources, file), 'utf8').matchAll(/^(?:export )?class (\w+Dto)\b/gm),
      ])
      .map(([, name]) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('names every kind of movement at the payment provider', () => {
    const { kind } = fieldsOf(document.components.schemas['ReconciliationLineDto']);
    expect(kind?.enum).toEqual([
      'payment',
      'refund',
      'refund-failed',
      'dispute',
      'dispute-won',
      'fee',
      'payout',
      'other-currency',
      'other',
    ]);
  });

  it('tells applications that the daily limit is refused as what is forbidden', () => {
    const forbidden = (call: string): string => {
      const { responses } = document.paths[`/api/tokens/${call}`]?.['post'] ?? {};
      return (responses?.['403'] as { description?: string } | undefined)?.description ?? '';
    };
    for (const call of ['spend', 'transfer']) expect(forbidden(call)).toContain('beyond the daily limit');
    for (const call of ['spend', 'earn', 'transfer']) expect(forbidden(call)).toContain('no scope nova');
  });
});
