import { isRegistered } from '@app/domain';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { AppError } from '../../platform/errors/app-error.js';
import { toMinor } from '../../wallet/nova-amount.js';
import { applicationNotFound } from '../application-not-found.js';
import { asRequest, filled, isAbout, textOf } from '../commands/decide-consent.js';
import type { ConsentOutcomeDto } from '../consent.dto.js';
import { type BrowserExchange, OAuthProvider } from '../provider/oauth-provider.js';
import { MEMBER_DENIED } from '../provider/provider-configuration.js';
import { isScope } from '../scopes.js';
import { TestClients } from './test-clients.js';
import type { TestConsentDecisionDto } from './test-consent.dto.js';

export class DecideTestConsent extends Command<ConsentOutcomeDto> {
  constructor(
    readonly decision: TestConsentDecisionDto,
    readonly exchange: BrowserExchange,
  ) {
    super();
  }
}

/** The decision of a made-up member on an authorization request of a test client (rule apps-11). */
@CommandHandler(DecideTestConsent)
export class DecideTestConsentHandler implements ICommandHandler<DecideTestConsent> {
  constructor(
    private readonly clients: TestClients,
    private readonly provider: OAuthProvider,
  ) {}

  /** @throws AppError 400 `INVALID_REDIRECT_URI`, `INVALID_MEMBER`, 404 `APPLICATION_NOT_FOUND` */
  async execute({ decision, exchange }: DecideTestConsent): Promise<ConsentOutcomeDto> {
    const { client_id: clientId, redirect_uri, approved, scopes, dailyLimit } = decision;
    const client = await this.clients.find(clientId);
    if (!client?.application.isActive) throw applicationNotFound();
    if (!isRegistered(client.application.redirectUris, redirect_uri)) {
      throw new AppError(400, 'INVALID_REDIRECT_URI', 'The application has not registered this redirect URI.');
    }
    const interaction = await this.provider.interaction(exchange, 'test');
    if (!interaction || !isAbout(interaction, decision)) {
      // The screen shows each time, so that the request begins again there.
      return { redirect_url: `${exchange.address}/oauth/authorize?${filled(asRequest(decision)).toString()}` };
    }
    if (!approved) {
      const refusal = { error: 'access_denied', error_description: MEMBER_DENIED };
      return { redirect_url: await this.provider.decide(exchange, refusal, 'test') };
    }
    const memberId = client.members.find(({ id }) => id === decision.member.toLowerCase())?.id;
    if (memberId === undefined) throw noSuchMember();
    const asked = textOf(interaction.params['scope']).split(' ').filter(isScope);
    const granted = asked.filter((scope) => scope === 'openid' || scopes.includes(scope));
    const refused = asked.filter((scope) => !granted.includes(scope));
    const limit = typeof dailyLimit === 'number' && granted.includes('nova') ? toMinor(dailyLimit) : undefined;
    const { generation } = client;
    const isGiven = await this.clients.give({ memberId, clientId, generation, granted, refused, dailyLimit: limit });
    if (!isGiven) throw noSuchMember();
    const grantId = await this.provider.grant({ memberId, clientId, granted, refused });
    const login = { accountId: memberId, ts: Math.floor(Date.now() / 1_000) };
    return { redirect_url: await this.provider.decide(exchange, { login, consent: { grantId } }, 'test') };
  }
}

const noSuchMember = (): AppError =>
  new AppError(400, 'INVALID_MEMBER', 'This is none of the made-up members. Load the page anew.');
