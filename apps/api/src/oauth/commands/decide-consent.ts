import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CARRIED_PARAMETERS, isRegistered } from '@app/domain';
import type { Interaction } from 'oidc-provider';
import { SecurityNotices } from '../../identity/security-notices.js';
import { FreshProofs } from '../../platform/auth/fresh-proofs.js';
import type { SignedInMember } from '../../platform/auth/member.js';
import { type Config, InjectConfig } from '../../platform/config.js';
import { AppError } from '../../platform/errors/app-error.js';
import { toMinor, toNova } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import { type Application, Applications } from '../applications.js';
import type { ConsentDecisionDto, ConsentOutcomeDto } from '../consent.dto.js';
import { type Consent, Consents } from '../consents.js';
import { DAILY_LIMIT_DEFAULT } from '../limits.js';
import { authTime } from '../provider/member-session.js';
import { type BrowserExchange, OAuthProvider } from '../provider/oauth-provider.js';
import { DENIED, MEMBER_DENIED, proofOfDenial, SIGN_IN_AGAIN } from '../provider/provider-configuration.js';
import { isScope, withOpenid } from '../scopes.js';

export class DecideConsent extends Command<ConsentOutcomeDto> {
  constructor(
    readonly member: SignedInMember,
    readonly decision: ConsentDecisionDto,
    readonly exchange: BrowserExchange,
  ) {
    super();
  }
}

/** Reasons for which another member has to sign in. */
const OTHER_MEMBER = ['id_token_hint', 'claims_id_token_sub_value'];

/** The member's decision on an authorization request (rule oauth-11). */
@CommandHandler(DecideConsent)
export class DecideConsentHandler implements ICommandHandler<DecideConsent> {
  constructor(
    private readonly applications: Applications,
    private readonly consents: Consents,
    private readonly provider: OAuthProvider,
    private readonly proofs: FreshProofs,
    private readonly notices: SecurityNotices,
    @InjectConfig() private readonly config: Config,
  ) {}

  /**
   * If no request of this browser waits for the decision, starts one, or passes a denial to the application. Never
   * sends anybody to an unregistered address.
   * @throws AppError 400 `INVALID_REDIRECT_URI`, 401 `SIGN_IN_AGAIN`, 403 `OTHER_ACCOUNT` or `FRESH_PROOF_NEEDED`, 404
   * `APPLICATION_NOT_FOUND`
   */
  async execute({ member, decision, exchange }: DecideConsent): Promise<ConsentOutcomeDto> {
    const application = await this.applications.find(decision.client_id);
    if (!application?.isActive) throw applicationNotFound();
    if (!isRegistered(application.redirectUris, decision.redirect_uri)) {
      throw new AppError(400, 'INVALID_REDIRECT_URI', 'The application has not registered this redirect URI.');
    }
    const interaction = await this.provider.interaction(exchange);
    if (!interaction || !isAbout(interaction, decision)) {
      return { redirect_url: this.startAgain(decision, exchange, asRequest(decision)) };
    }
    if (interaction.session && interaction.session.accountId !== member.id) {
      return { redirect_url: this.startAgain(decision, exchange, interaction.params) };
    }
    if (!decision.approved) {
      const refusal = { error: 'access_denied', error_description: MEMBER_DENIED };
      return { redirect_url: await this.provider.decide(exchange, refusal) };
    }
    refuseOtherSignIn(interaction, member);
    const before = await this.consents.find(member.id, decision.client_id);
    const grantId = await this.record(interaction, member, decision);
    await this.tellOfSpending(member, application, before);
    const login = { accountId: member.id, ts: authTime(member) };
    return { redirect_url: await this.provider.decide(exchange, { login, consent: { grantId } }) };
  }

  /** Tells the member of a consent that lets the application spend, or spend more than it could before. */
  private async tellOfSpending(
    { id, deviceId }: SignedInMember,
    { clientId, name }: Application,
    before: Consent | undefined,
  ): Promise<void> {
    const consent = await this.consents.find(id, clientId);
    if (!consent?.scopes.includes('nova')) return;
    const couldSpend = before?.scopes.includes('nova') ? before.dailyLimit : -1n;
    if (consent.dailyLimit <= couldSpend) return;
    const dailyLimit = toNova(consent.dailyLimit);
    await this.notices.tell(id, { kind: 'spending_consent', deviceId, application: name, dailyLimit });
  }

  /** Records what was granted of the requested scopes; returns the grant. */
  private async record({ params }: Interaction, member: SignedInMember, decision: ConsentDecisionDto): Promise<string> {
    const { client_id: clientId, scopes, dailyLimit } = decision;
    const asked = textOf(params['scope']).split(' ').filter(isScope);
    const granted = asked.filter((scope) => scope === 'openid' || scopes.includes(scope));
    if (granted.includes('nova')) await this.proveHighLimit(member, clientId, dailyLimit);
    const refused = asked.filter((scope) => !granted.includes(scope));
    await this.consents.give({
      member,
      clientId,
      granted,
      refused,
      dailyLimit: typeof dailyLimit === 'number' && granted.includes('nova') ? toMinor(dailyLimit) : undefined,
    });
    return this.provider.grant({ memberId: member.id, clientId, granted, refused });
  }

  /** A limit that the decision does not name stays unchanged. */
  private async proveHighLimit(
    member: SignedInMember,
    clientId: string,
    named: number | null | undefined,
  ): Promise<void> {
    const before = await this.consents.find(member.id, clientId);
    const limit = typeof named === 'number' ? toMinor(named) : before?.dailyLimit;
    if (limit !== undefined && limit > toMinor(DAILY_LIMIT_DEFAULT)) await this.proofs.require(member);
  }

  /**
   * A consent without a waiting request, or with one that another member began, starts again with the same parameters.
   * The member is asked again whatever they granted before, because nothing of this decision was kept. A denial needs
   * no second question: the provider passes it to the application, in the way that the application asked for.
   */
  private startAgain(
    { approved }: ConsentDecisionDto,
    { address }: BrowserExchange,
    request: Readonly<Record<string, unknown>>,
  ): string {
    const prompts = new Set([...textOf(request['prompt']).split(' '), 'consent']);
    const again = filled(approved ? { ...request, prompt: [...prompts].join(' ').trim() } : request);
    if (!approved) again.set(DENIED, proofOfDenial(this.config, again));
    return `${address}/oauth/authorize?${again.toString()}`;
  }
}

/** The parameters that are texts and not empty. */
export const filled = (parameters: Readonly<Record<string, unknown>>): URLSearchParams =>
  new URLSearchParams(Object.entries(parameters).filter((entry): entry is [string, string] => textOf(entry[1]) !== ''));

/** The authorization request that a decision is about, as far as the decision names it. */
export const asRequest = (decision: ConsentDecisionDto): Record<string, unknown> => ({
  client_id: decision.client_id,
  redirect_uri: decision.redirect_uri,
  response_type: 'code',
  ...Object.fromEntries(CARRIED_PARAMETERS.map((name) => [name, decision[name]])),
  scope: decision.scope ?? withOpenid(decision.scopes.filter(isScope)).join(' '),
});

export const textOf = (parameter: unknown): string => (typeof parameter === 'string' ? parameter : '');

/** The decision names the state exactly, and may name the other parameters that the consent screen knows. */
export const isAbout = ({ params }: Interaction, decision: ConsentDecisionDto): boolean =>
  params['client_id'] === decision.client_id &&
  params['redirect_uri'] === decision.redirect_uri &&
  textOf(params['state']) === (decision.state ?? '') &&
  CARRIED_PARAMETERS.every((name) => textOf(params[name]) === (decision[name] ?? textOf(params[name])));

/** Refuses the decision if the application asked for a fresh sign-in, or for a particular member. */
function refuseOtherSignIn({ prompt, iat, session }: Interaction, member: SignedInMember): void {
  const { reasons } = prompt;
  if (reasons.some((reason) => SIGN_IN_AGAIN.includes(reason)) && authTime(member) < iat) {
    throw new AppError(401, 'SIGN_IN_AGAIN', 'This application asks you to sign in once more before you decide.');
  }
  if (reasons.some((reason) => OTHER_MEMBER.includes(reason)) && session?.accountId === member.id) {
    throw new AppError(403, 'OTHER_ACCOUNT', 'This application expects another member. Sign in with that account.');
  }
}
