// Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
import type { Schemas } from '../core/operation-types.js';
import type { RequestOptions } from '../core/options.js';
import type { Transport } from '../core/transport.js';

export class Organization {
  constructor(protected readonly transport: Transport) {}

  /**
   * Get the current identity.
   *
   * `GET /v1/me`
   */
  getMe(options: RequestOptions = {}): Promise<Schemas['Me']> {
    return this.transport.json({ method: 'GET', path: '/v1/me' }, options);
  }

  /**
   * Get what this installation can do.
   *
   * Which engines and models are set up, by the operator or with a key of the organization. A key for test data uses local engines only.
   *
   * `GET /v1/capabilities`
   */
  getCapabilities(options: RequestOptions = {}): Promise<Schemas['GetCapabilitiesResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/capabilities' }, options);
  }

  /**
   * Get the settings of the organization.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/settings`
   */
  getSettings(options: RequestOptions = {}): Promise<Schemas['GetSettingsResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/settings' }, options);
  }

  /**
   * Update the settings of the organization.
   *
   * Omitted fields keep their values. `default_chunking` is replaced as a whole; its omitted fields get their standard values. Existing jobs keep the defaults they were created with. `search_language` applies to files that are indexed from now on, and `answer_instructions` to answers after ten seconds.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `PUT /v1/org/settings`
   */
  updateSettings(
    body: Schemas['UpdateSettingsRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetSettingsResponse']> {
    return this.transport.json({ method: 'PUT', path: '/v1/org/settings', body }, options);
  }

  /**
   * List routing rules.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/routing-rules`
   */
  getRoutingRules(options: RequestOptions = {}): Promise<Schemas['GetRoutingRulesResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/routing-rules' }, options);
  }

  /**
   * Replace all routing rules.
   *
   * A rule overrides the default provider of a content type. The `provider` of a request overrides the rule. An exact type takes precedence over a wildcard, and a longer wildcard over a shorter one.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `PUT /v1/org/routing-rules`
   */
  setRoutingRules(
    body: Schemas['SetRoutingRulesRequest'],
    options: RequestOptions = {},
  ): Promise<Schemas['GetRoutingRulesResponse']> {
    return this.transport.json({ method: 'PUT', path: '/v1/org/routing-rules', body }, options);
  }

  /**
   * Get the branding of the portal.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/branding`
   */
  getBranding(options: RequestOptions = {}): Promise<Schemas['GetBrandingResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/branding' }, options);
  }

  /**
   * Update the branding of the portal.
   *
   * Omitted fields keep their values, and null removes a value.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `PUT /v1/org/branding`
   */
  updateBranding(
    body: Schemas['UpdateBrandingRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetBrandingResponse']> {
    return this.transport.json({ method: 'PUT', path: '/v1/org/branding', body }, options);
  }

  /**
   * Get the settings of the portal.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/portal`
   */
  getPortalSettings(options: RequestOptions = {}): Promise<Schemas['GetPortalSettingsResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/portal' }, options);
  }

  /**
   * Update the settings of the portal.
   *
   * Omitted fields keep their values, and a list replaces the former one. A change applies after five seconds at the latest.
   *
   * Needs the scope `org:write`.
   *
   * Test keys are refused (403), because live data uses this.
   *
   * `PUT /v1/org/portal`
   */
  updatePortalSettings(
    body: Schemas['UpdatePortalSettingsRequest'] = {},
    options: RequestOptions = {},
  ): Promise<Schemas['GetPortalSettingsResponse']> {
    return this.transport.json({ method: 'PUT', path: '/v1/org/portal', body }, options);
  }

  /**
   * Get the page usage of the month.
   *
   * A page is a page of a PDF or DOCX file, a slide of a PPTX file, an image, a started minute of audio, or a started block of 3,000 characters of any other document. Pages count when a job completes, each time a file is processed. Test mode does not count.
   *
   * Needs the scope `org:read`.
   *
   * `GET /v1/org/usage`
   */
  getUsage(options: RequestOptions = {}): Promise<Schemas['GetUsageResponse']> {
    return this.transport.json({ method: 'GET', path: '/v1/org/usage' }, options);
  }
}
