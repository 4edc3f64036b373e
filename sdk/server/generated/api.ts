// Written by `npm run generate-client` from the OpenAPI document.
export interface paths {
    "/api/v1/payment-intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment intents, newest first
         * @description Needs the scope `payment-intents:read`.
         */
        get: operations["listPaymentIntents"];
        put?: never;
        /**
         * Create a payment intent, and confirm it at once if requested
         * @description Needs the scope `payment-intents:write`.
         */
        post: operations["createPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a payment intent
         * @description Needs the scope `payment-intents:read`. A checkout page may do it with the client secret of the payment intent, until 24 hours after the end of the payment.
         */
        get: operations["getPaymentIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a payment intent before it is confirmed
         * @description Needs the scope `payment-intents:write`.
         */
        patch: operations["amendPaymentIntent"];
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Store a payment method for this payment intent, to be confirmed by its id
         * @description What the card fields of the checkout SDK call. The id is good for this payment intent only. The security code of a card is erased when an attempt with it has an outcome, or the payment ends.
         *
         *     Needs the scope `payment-intents:write`. A checkout page may do it with the client secret of the payment intent, until the end of the payment.
         */
        post: operations["createPaymentMethod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm a payment intent: call the providers and wait for the outcome
         * @description After too many declined cards within an hour it responds with `RATE_LIMIT_EXCEEDED` before a provider is called. A checkout page gets `PAYMENT_DECLINED` instead of `FRAUD_DETECTED`, and no details of providers.
         *
         *     Needs the scope `payment-intents:write`. A checkout page may do it with the client secret of the payment intent, until the end of the payment.
         */
        post: operations["confirmPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payment intent; an authorization is voided
         * @description Needs the scope `payment-intents:write`.
         */
        post: operations["cancelPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture authorized money, once: all of it or a part; the rest is released
         * @description Needs the scope `payment-intents:write`. Needs `X-Idempotency-Key` where the account has `requireIdempotencyKeys`.
         */
        post: operations["capturePaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List every decision, attempt, timer and event of a payment, oldest first
         * @description Needs the scope `payment-intents:read`.
         */
        get: operations["getPaymentIntentTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List customers, newest first
         * @description Needs the scope `customers:read`.
         */
        get: operations["listCustomers"];
        put?: never;
        /**
         * Create a customer
         * @description Needs the scope `customers:write`.
         */
        post: operations["createCustomer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/customers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a customer
         * @description Needs the scope `customers:read`.
         */
        get: operations["getCustomer"];
        /**
         * Replace all data of a customer
         * @description Omitted fields become empty.
         *
         *     Needs the scope `customers:write`.
         */
        put: operations["replaceCustomer"];
        post?: never;
        /**
         * Delete a customer without open payments
         * @description Payments that have ended keep the id of the customer.
         *
         *     Needs the scope `customers:write`.
         */
        delete: operations["deleteCustomer"];
        options?: never;
        head?: never;
        /**
         * Update some fields of a customer
         * @description Omitted fields stay unchanged; `null` clears a field; `metadata` is replaced as a whole.
         *
         *     Needs the scope `customers:write`.
         */
        patch: operations["updateCustomer"];
        trace?: never;
    };
    "/api/v1/merchants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchant accounts that the key may act for, newest first
         * @description Needs the scope `merchants:read`.
         */
        get: operations["listMerchantAccounts"];
        put?: never;
        /**
         * Create a merchant account
         * @description The account belongs to the merchant and the environment of the key; `X-Merchant-ID` selects it from then on. A merchant has at most 1000 accounts in each environment. A key that is `accountBound` creates none, and sees no account but its own.
         *
         *     Needs the scope `merchants:write`.
         */
        post: operations["createMerchantAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a merchant account
         * @description Needs the scope `merchants:read`.
         */
        get: operations["getMerchantAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, retry budget, refund window or the demand for idempotency keys of a merchant account
         * @description The retry budget applies to payments that are created from then on. With `requireIdempotencyKeys`, refunds and captures of the account need an `X-Idempotency-Key`; without one they get `MISSING_REQUIRED_FIELD`.
         *
         *     Needs the scope `merchants:write`.
         */
        patch: operations["updateMerchantAccount"];
        trace?: never;
    };
    "/api/v1/merchants/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend a merchant account: every request that acts for it is rejected
         * @description Payments under way continue to their end. The keys of a suspended account are rejected whichever account they act for. A request may suspend the account that it acts for; activating it again takes a key of another account of the merchant, or the platform. Suspending a suspended account changes nothing.
         *
         *     Needs the scope `merchants:write`.
         */
        post: operations["suspendMerchantAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/merchants/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate a suspended merchant account
         * @description The request must use a key of another account and act for another account, because everything else about a suspended account is rejected. An account that the platform suspended (`suspendedBy` is `platform`) can be activated by the platform only, with `npm run merchant -- activate <account>`; the response is then `STATE_CONFLICT`. Activating an active account changes nothing.
         *
         *     Needs the scope `merchants:write`.
         */
        post: operations["activateMerchantAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchant account's API keys, newest first
         * @description Needs the scope `api-keys:read`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key; its secrets are returned only once
         * @description The new key belongs to the merchant account that the request acts for. It gets at most the rights of the key that creates it: scopes that one has itself, addresses that lie within its `ipAllowlist` if it is `ipRestricted`, no later `expiresAt`, `accountBound` if that one is, and no earlier `signatureVersion`. Limits that the request leaves out are those of that key. With a key that is `accountBound`, `X-Merchant-ID` may only name the own account of the key. The account has at most 100 live keys. Only a repeat with the same idempotency key, made with the same API key, returns `apiKey` and `secretSalt` again; made with another key it returns `null` for both.
         *
         *     Needs the scope `api-keys:write`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an API key, without its secrets
         * @description Needs the scope `api-keys:read`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the name, scopes, expiry or address list of an API key
         * @description The change takes effect with the next request. A revoked or expired key cannot be changed, and no key can be restricted to an empty list of addresses. The request needs a key that has all scopes of the changed key, before and after; unless only the name changes, the addresses, expiry and account binding of the changed key must lie within those of that key afterwards. `signatureVersion` does not change: rotate the key to get one on version 2.
         *
         *     Needs the scope `api-keys:write`.
         */
        patch: operations["updateApiKey"];
        trace?: never;
    };
    "/api/v1/api-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key for good
         * @description The request needs a key that has all scopes of the revoked one; a key may revoke itself. If no other key is left, the command `npm run merchant -- key <account>` creates one. Revoking a revoked key changes nothing.
         *
         *     Needs the scope `api-keys:write`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate an API key: replace it by a new one with the same settings; both are valid for an overlap
         * @description Returns the new key with its secrets. The old key expires after `overlapSeconds`, or at its own expiry if that is sooner. A key can be rotated once, and only by a key that has all of its scopes and could have created it: with no earlier expiry, no narrower list of addresses, and not bound to its account unless the old key is. With `signatureVersion: 2` the new key takes version 2 of the signature; a key on version 2 stays there, and rotates no key to version 1.
         *
         *     Needs the scope `api-keys:write`.
         */
        post: operations["rotateApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment routes, newest first
         * @description `currency` and `country` select the routes that accept them, by name or because they accept any.
         *
         *     Needs the scope `payment-routes:read`.
         */
        get: operations["listPaymentRoutes"];
        put?: never;
        /**
         * Create a payment route
         * @description The route belongs to the merchant and the environment of the key, and applies from the next confirm on. Empty lists mean "any"; an excluded country is never accepted. Routes with a lower `priority` are tried first; among equals the order is drawn for each payment, by `weight`. A merchant has at most 500 routes in each environment.
         *
         *     Needs the scope `payment-routes:write`.
         */
        post: operations["createPaymentRoute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-routes/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate which routes a payment would use, and why others are skipped
         * @description Uses the same routes, channel limits and provider health as a payment that is confirmed now, and changes nothing. Among routes of equal `priority` the order is drawn anew each time. Without a `country` the customer's country is used; without either, the countries of routes are ignored. `refusal` is the error of a confirm.
         *
         *     Needs the scope `payment-routes:read`.
         */
        post: operations["simulatePaymentRoutes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-routes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a payment route
         * @description Needs the scope `payment-routes:read`.
         */
        get: operations["getPaymentRoute"];
        put?: never;
        post?: never;
        /**
         * Delete a payment route
         * @description Payments that used the route keep its id, and payments under way continue.
         *
         *     Needs the scope `payment-routes:write`.
         */
        delete: operations["deletePaymentRoute"];
        options?: never;
        head?: never;
        /**
         * Change a payment route
         * @description The change applies from the next confirm on. Omitted fields stay unchanged; lists are replaced as a whole.
         *
         *     Needs the scope `payment-routes:write`.
         */
        patch: operations["updatePaymentRoute"];
        trace?: never;
    };
    "/api/v1/channel-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the smallest and largest amounts by payment method and currency, newest first
         * @description Needs the scope `channel-limits:read`.
         */
        get: operations["listChannelLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channel-limits/{paymentMethod}/{currency}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the smallest and largest amount of a payment method in a currency
         * @description Creates the limit or replaces it, for all accounts of the merchant in the environment of the key. The next confirm applies it.
         *
         *     Needs the scope `channel-limits:write`.
         */
        put: operations["putChannelLimit"];
        post?: never;
        /**
         * Delete a limit, so that any amount is allowed
         * @description Needs the scope `channel-limits:write`.
         */
        delete: operations["deleteChannelLimit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refunds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List refunds, newest first
         * @description Needs the scope `refunds:read`.
         */
        get: operations["listRefunds"];
        put?: never;
        /**
         * Refund captured money, in whole or in part
         * @description The body names the capture by `transactionId` or its payment by `paymentIntentId`. Without `amount`, the whole remaining amount is refunded. The request waits for the outcome; if the provider takes longer, the refund is `pending`. A failed refund is returned as an error, with the refund in `details.refund`.
         *
         *     Needs the scope `refunds:write`. Needs `X-Idempotency-Key` where the account has `requireIdempotencyKeys`.
         */
        post: operations["createRefund"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/refunds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a refund
         * @description Needs the scope `refunds:read`.
         */
        get: operations["getRefund"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions, newest first
         * @description Needs the scope `transactions:read`.
         */
        get: operations["listTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a transaction
         * @description Needs the scope `transactions:read`.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, newest first
         * @description With `after`, the id of an event, only later events are listed, and **oldest first**. To read on without a gap, pass the id of the last event of the page. An `after` that is unknown or was purged is `RESOURCE_NOT_FOUND`.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an event; old events are purged
         * @description Needs the scope `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List an event's deliveries to webhook endpoints with every attempt, newest delivery first
         * @description An event is delivered once to each endpoint that subscribed to it when it happened, and once more with each redelivery. Deliveries are kept as long as events.
         *
         *     Needs the scope `events:read`.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver an event to webhook endpoints
         * @description To the named endpoint, or to all enabled endpoints that subscribe to events of this type. A pending delivery makes its next attempt at once; without one, a new delivery begins.
         *
         *     Needs the scope `events:write`.
         */
        post: operations["redeliverEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the changes of the merchant's settings, newest first
         * @description Who changed API keys, merchant accounts, payment routes, channel limits and webhook endpoints of the merchant in the environment of the key, from where, and how; and what support staff did about its payments. A key that is `accountBound` sees the changes of what belongs to its account. Old entries are purged.
         *
         *     Needs the scope `audit-events:read`.
         */
        get: operations["listAuditEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit-events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve one change of the settings; old ones are purged
         * @description Needs the scope `audit-events:read`.
         */
        get: operations["getAuditEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the logged requests of the merchant account, newest first
         * @description Requests that change something, and those that failed, with masked bodies. Reads that succeed, requests whose signature is not valid and those that a rate limit refused are not logged. A request appears some seconds after its response, and is kept for 7 days.
         *
         *     Needs the scope `requests:read`.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve one logged request by the id that its response carried
         * @description Of several requests with one id, which a client may send in `X-Request-Id`, it is the latest.
         *
         *     Needs the scope `requests:read`.
         */
        get: operations["getRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List how the providers do, by name
         * @description The attempts of the account's payment intents of the last hour at each provider that the merchant has routes to, and the circuit breaker of the environment, which all accounts share.
         *
         *     Needs the scope `provider-health:read`.
         */
        get: operations["listProviderHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-health/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve how one provider does
         * @description Needs the scope `provider-health:read`.
         */
        get: operations["getProviderHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchant account's webhook endpoints, newest first
         * @description Needs the scope `webhook-endpoints:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint; its secret is returned only once
         * @description Events are posted as `GET /events/{id}` returns them, signed according to the Standard Webhooks specification. In production the address must use HTTPS and be on the public internet. Without `enabledEvents` every event is sent. A merchant account has at most 20 endpoints. Only a repeat with the same idempotency key, made with the same API key, returns `secret` again; made with another key it returns `null`.
         *
         *     Needs the scope `webhook-endpoints:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a webhook endpoint, without its secret
         * @description Needs the scope `webhook-endpoints:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint; its pending deliveries are canceled
         * @description Needs the scope `webhook-endpoints:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change the address, event types or description of a webhook endpoint, or enable or disable it
         * @description Omitted fields stay unchanged. Events that happen while an endpoint is disabled are not delivered afterwards, unless `POST /events/{id}/redeliver` requests it.
         *
         *     Needs the scope `webhook-endpoints:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint; the previous secret stays valid for an overlap
         * @description For `overlapSeconds`, each webhook has two signatures, one for each secret. A secret from before an earlier rotation ends at once.
         *
         *     Needs the scope `webhook-endpoints:write`.
         */
        post: operations["rotateWebhookEndpointSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a `webhook_endpoint.test` event to a webhook endpoint
         * @description The event is delivered to this endpoint only, whatever event types it subscribes to.
         *
         *     Needs the scope `webhook-endpoints:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/providers/{provider}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description The envelope of every error response. */
        ErrorResponse: {
            success: boolean;
            error: components["schemas"]["ApiError"];
        };
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            /** @description A message for people. */
            message: string;
            type: components["schemas"]["ErrorType"];
            details?: components["schemas"]["ErrorDetails"];
            /** @description The same as the header X-Request-Id. */
            requestId: string;
        };
        /**
         * @description Every error code of the API.
         * @enum {string}
         */
        ErrorCode: "UNAUTHORIZED" | "INVALID_SIGNATURE" | "TIMESTAMP_EXPIRED" | "API_KEY_REVOKED" | "API_KEY_EXPIRED" | "IP_NOT_WHITELISTED" | "INSUFFICIENT_PERMISSIONS" | "FORBIDDEN" | "MERCHANT_SUSPENDED" | "INVALID_REQUEST" | "VALIDATION_ERROR" | "INVALID_AMOUNT" | "INVALID_CURRENCY" | "INVALID_PAYMENT_METHOD" | "MISSING_REQUIRED_FIELD" | "RESOURCE_NOT_FOUND" | "PAYMENT_INTENT_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "REFUND_NOT_FOUND" | "DUPLICATE_REQUEST" | "STATE_CONFLICT" | "PAYMENT_FAILED" | "PAYMENT_DECLINED" | "PAYMENT_EXPIRED" | "INSUFFICIENT_FUNDS" | "CARD_DECLINED" | "FRAUD_DETECTED" | "LIMIT_EXCEEDED" | "REFUND_FAILED" | "REFUND_NOT_ALLOWED" | "REFUND_AMOUNT_EXCEEDED" | "REFUND_WINDOW_CLOSED" | "CHANNEL_LIMIT_MIN_EXCEEDED" | "CHANNEL_LIMIT_MAX_EXCEEDED" | "RATE_LIMIT_EXCEEDED" | "TSP_ERROR" | "TSP_TIMEOUT" | "TSP_UNAVAILABLE" | "NO_TSP_AVAILABLE" | "UNSUPPORTED_REGION" | "UNSUPPORTED_CURRENCY_PAIR" | "PROVIDER_VALIDATION_ERROR" | "PROVIDER_UNAVAILABLE" | "PAYMENT_STUCK" | "PAYMENT_RETRIES_EXHAUSTED" | "TSP_PAYMENT_FAILED" | "CRYPTO_DEPOSIT_FAILED" | "METHOD_NOT_ALLOWED" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
        /**
         * @description The type of the error, a group of codes.
         * @enum {string}
         */
        ErrorType: "authentication_error" | "permission_error" | "validation_error" | "resource_error" | "payment_error" | "refund_error" | "rate_limit_error" | "provider_error" | "operational_error" | "internal_error";
        /** @description Details of the error; the members depend on the code. */
        ErrorDetails: {
            /** @description Every field that failed validation. */
            fields?: components["schemas"]["FieldProblem"][];
            /** @description The one field that is missing. */
            field?: string;
            /** @description The exact cause, in one word. */
            reason?: string;
            /** @description The scope that the API key lacks. */
            scope?: string;
            /** @description Requests a minute. */
            limit?: number;
            remaining?: number;
            /** Format: date-time */
            resetAt?: string;
            minimumAmount?: number;
            maximumAmount?: number;
            /** @description The payment intent after the failure. */
            paymentIntent?: components["schemas"]["PaymentIntent"];
            /** @description The refund after the failure. */
            refund?: components["schemas"]["Refund"];
        } & {
            [key: string]: unknown;
        };
        /** @description What is wrong with one field. */
        FieldProblem: {
            field: string;
            message: string;
            /** @enum {string} */
            code: "required" | "invalid" | "type" | "min" | "max" | "too_short" | "too_long" | "unknown";
        };
        /** @description ISO 4217, upper case. */
        Currency: string;
        /** @description ISO 3166-1 alpha-2, upper case, or null. */
        NullableCountry: string | null;
        /** @description ISO 3166-1 alpha-2, upper case. */
        Country: string;
        PaymentIntent: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "payment_intent";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            amount: number;
            currency: string;
            amountCapturable: number;
            amountCaptured: number;
            amountRefunded: number;
            /** @enum {string} */
            status: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
            reference: string | null;
            description: string | null;
            customerId: string | null;
            country: string | null;
            /** @enum {string} */
            captureMethod: "automatic" | "manual";
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            nextAction: components["schemas"]["NextAction"] | null;
            provider: string | null;
            attempts: components["schemas"]["PaymentAttempt"][];
            lastError: components["schemas"]["LastError"] | null;
            advisory: components["schemas"]["Advisory"] | null;
            /** @enum {string|null} */
            cancellationReason: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned" | "requested_by_operator" | "retries_exhausted" | "authorization_lapsed" | null;
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
        };
        /** @description A masked payment method. */
        MaskedPaymentMethod: components["schemas"]["MaskedCard"] | components["schemas"]["MaskedUpi"] | components["schemas"]["MaskedCrypto"];
        MaskedCard: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "card";
            brand: string;
            last4: string;
            expiryMonth: number;
            expiryYear: number;
        };
        MaskedUpi: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "upi";
            /** @description Null where the customer pays by link or QR code. */
            vpa: string | null;
        };
        MaskedCrypto: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "crypto";
            asset: string;
            network: string;
        };
        /** @description What the customer has to do before the payment continues. */
        NextAction: components["schemas"]["RedirectAction"] | components["schemas"]["ApproveInAppAction"] | components["schemas"]["CryptoDepositAction"];
        RedirectAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "redirect";
            /** Format: uri */
            url: string;
        };
        ApproveInAppAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "approve_in_app";
            /** @constant */
            app: "upi";
            /** @description Opens a UPI app on a phone; elsewhere show it as a QR code. Absent where the provider gives none. */
            link?: string;
        };
        CryptoDepositAction: {
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "crypto_deposit";
            asset: string;
            network: string;
            address: string;
            /** @description Decimal, in the asset's own precision. */
            amount: string;
            confirmationsRequired: number;
        };
        /** @description One route tried for one intent. */
        PaymentAttempt: {
            id: string;
            route: string;
            provider: string;
            tries: number;
            /** @enum {string|null} */
            outcome: "approved" | "declined" | "failed" | "not_charged" | "canceled" | null;
            code: string | null;
            /** Format: date-time */
            startedAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        LastError: {
            code: string;
            message: string;
            details?: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            at: string;
        };
        /** @description A notice that does not change the state: the payment continues. */
        Advisory: {
            /** @constant */
            code: "PAYMENT_STUCK";
            /** Format: date-time */
            since: string;
        };
        /** @description One request to an endpoint and its result. */
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            startedAt: string;
            durationMs: number;
            statusCode: number | null;
            /** @enum {string|null} */
            error: "timeout" | "connection_refused" | "connection_lost" | "host_not_found" | "address_not_allowed" | "certificate_not_valid" | "status_not_2xx" | null;
            responseBody: string | null;
        };
        CreatePaymentIntentRequest: {
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description The merchant's own number, such as that of the order: up to 100 printable ASCII characters. */
            reference?: string | null;
            description?: string | null;
            customerId?: string | null;
            country?: components["schemas"]["NullableCountry"];
            /**
             * @default automatic
             * @enum {string}
             */
            captureMethod?: "automatic" | "manual";
            paymentMethod?: {
                /** @constant */
                type: "card";
                card: {
                    number: string;
                    expiryMonth: number;
                    expiryYear: number;
                    cvc: string;
                    holderName?: string | null;
                };
            } | {
                /** @constant */
                type: "upi";
                upi: {
                    /** @description Asks the customer in their app. Without it, the customer pays by the link in `nextAction`, or by scanning it as a QR code. */
                    vpa?: string | null;
                };
            } | {
                /** @constant */
                type: "crypto";
                crypto: {
                    /** @enum {string} */
                    asset: "BTC" | "ETH" | "USDC" | "USDT";
                    /** @enum {string} */
                    network: "bitcoin" | "ethereum" | "polygon" | "tron";
                };
            };
            /** @default false */
            confirm?: boolean;
            /** Format: uri */
            returnUrl?: string | null;
            metadata?: {
                [key: string]: string;
            };
            /** @default 1800 */
            expiresInSeconds?: number;
        };
        AmendPaymentIntentRequest: {
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            amount?: number;
            currency?: components["schemas"]["Currency"];
            /** @description The merchant's own number, such as that of the order: up to 100 printable ASCII characters. */
            reference?: string | null;
            description?: string | null;
            customerId?: string | null;
            country?: components["schemas"]["NullableCountry"];
            /** @enum {string} */
            captureMethod?: "automatic" | "manual";
            /** Format: uri */
            returnUrl?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        CreatePaymentMethodRequest: {
            paymentMethod: {
                /** @constant */
                type: "card";
                card: {
                    number: string;
                    expiryMonth: number;
                    expiryYear: number;
                    cvc: string;
                    holderName?: string | null;
                };
            } | {
                /** @constant */
                type: "upi";
                upi: {
                    /** @description Asks the customer in their app. Without it, the customer pays by the link in `nextAction`, or by scanning it as a QR code. */
                    vpa?: string | null;
                };
            } | {
                /** @constant */
                type: "crypto";
                crypto: {
                    /** @enum {string} */
                    asset: "BTC" | "ETH" | "USDC" | "USDT";
                    /** @enum {string} */
                    network: "bitcoin" | "ethereum" | "polygon" | "tron";
                };
            };
        };
        ConfirmPaymentIntentRequest: {
            paymentMethod?: {
                /** @constant */
                type: "card";
                card: {
                    number: string;
                    expiryMonth: number;
                    expiryYear: number;
                    cvc: string;
                    holderName?: string | null;
                };
            } | {
                /** @constant */
                type: "upi";
                upi: {
                    /** @description Asks the customer in their app. Without it, the customer pays by the link in `nextAction`, or by scanning it as a QR code. */
                    vpa?: string | null;
                };
            } | {
                /** @constant */
                type: "crypto";
                crypto: {
                    /** @enum {string} */
                    asset: "BTC" | "ETH" | "USDC" | "USDT";
                    /** @enum {string} */
                    network: "bitcoin" | "ethereum" | "polygon" | "tron";
                };
            };
            /** @description A payment method that was stored for this payment intent before, instead of `paymentMethod`. */
            paymentMethodId?: string;
            /** Format: uri */
            returnUrl?: string;
        };
        CancelPaymentIntentRequest: {
            /**
             * @default requested_by_customer
             * @enum {string}
             */
            reason?: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned";
        };
        CapturePaymentIntentRequest: {
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            amount?: number;
        };
        CreateCustomerRequest: {
            /** @description The merchant's own number, such as that of the order: up to 100 printable ASCII characters. */
            reference?: string | null;
            name?: string | null;
            email?: string | null;
            phone?: string | null;
            description?: string | null;
            country?: components["schemas"]["NullableCountry"];
            metadata?: {
                [key: string]: string;
            };
        };
        UpdateCustomerRequest: {
            /** @description The merchant's own number, such as that of the order: up to 100 printable ASCII characters. */
            reference?: string | null;
            name?: string | null;
            email?: string | null;
            phone?: string | null;
            description?: string | null;
            country?: components["schemas"]["NullableCountry"];
            metadata?: {
                [key: string]: string;
            };
        };
        CreateMerchantAccountRequest: {
            name: string;
            /** @default 5 */
            retryBudget?: number;
            /** @default 180 */
            refundWindowDays?: number;
            /** @default false */
            requireIdempotencyKeys?: boolean;
        };
        UpdateMerchantAccountRequest: {
            name?: string;
            retryBudget?: number;
            refundWindowDays?: number;
            requireIdempotencyKeys?: boolean;
        };
        SuspendMerchantAccountRequest: Record<string, never>;
        CreateApiKeyRequest: {
            name: string;
            scopes: ("payment-intents:read" | "payment-intents:write" | "transactions:read" | "transactions:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "merchants:read" | "merchants:write" | "api-keys:read" | "api-keys:write" | "payment-routes:read" | "payment-routes:write" | "channel-limits:read" | "channel-limits:write" | "webhook-endpoints:read" | "webhook-endpoints:write" | "events:read" | "events:write" | "audit-events:read" | "audit-events:write" | "requests:read" | "requests:write" | "provider-health:read" | "provider-health:write" | "support:read")[];
            /** Format: date-time */
            expiresAt?: string | null;
            ipAllowlist?: string[];
            ipRestricted?: boolean;
            accountBound?: boolean;
            signatureVersion?: number;
        };
        UpdateApiKeyRequest: {
            name?: string;
            scopes?: ("payment-intents:read" | "payment-intents:write" | "transactions:read" | "transactions:write" | "refunds:read" | "refunds:write" | "customers:read" | "customers:write" | "merchants:read" | "merchants:write" | "api-keys:read" | "api-keys:write" | "payment-routes:read" | "payment-routes:write" | "channel-limits:read" | "channel-limits:write" | "webhook-endpoints:read" | "webhook-endpoints:write" | "events:read" | "events:write" | "audit-events:read" | "audit-events:write" | "requests:read" | "requests:write" | "provider-health:read" | "provider-health:write" | "support:read")[];
            /** Format: date-time */
            expiresAt?: string | null;
            ipAllowlist?: string[];
            ipRestricted?: boolean;
            accountBound?: boolean;
            signatureVersion?: number;
        };
        RotateApiKeyRequest: {
            /** @default 86400 */
            overlapSeconds?: number;
            signatureVersion?: number;
        };
        CreatePaymentRouteRequest: {
            provider: string;
            /** @enum {string} */
            paymentMethod: "card" | "upi" | "crypto";
            /** @default [] */
            currencies?: components["schemas"]["Currency"][];
            /** @default [] */
            countries?: components["schemas"]["Country"][];
            /** @default [] */
            excludedCountries?: components["schemas"]["Country"][];
            /** @default 100 */
            priority?: number;
            /** @default 1 */
            weight?: number;
            /** @default true */
            active?: boolean;
        };
        SimulatePaymentRoutesRequest: {
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @enum {string} */
            paymentMethod: "card" | "upi" | "crypto";
            country?: components["schemas"]["NullableCountry"];
            customerId?: string | null;
        };
        UpdatePaymentRouteRequest: {
            provider?: string;
            /** @enum {string} */
            paymentMethod?: "card" | "upi" | "crypto";
            currencies?: components["schemas"]["Currency"][];
            countries?: components["schemas"]["Country"][];
            excludedCountries?: components["schemas"]["Country"][];
            priority?: number;
            weight?: number;
            active?: boolean;
        };
        PutChannelLimitRequest: {
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            minimumAmount: number;
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            maximumAmount: number;
        };
        Refund: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "refund";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            paymentIntentId: string;
            transactionId: string;
            amount: number;
            currency: string;
            /** @enum {string} */
            status: "pending" | "succeeded" | "failed";
            /** @enum {string|null} */
            reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null;
            reference: string | null;
            metadata: {
                [key: string]: string;
            };
            provider: string;
            failure: {
                code: string;
                message: string;
                details?: {
                    [key: string]: unknown;
                };
            } | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
        };
        CreateRefundRequest: {
            transactionId?: string;
            paymentIntentId?: string;
            /** @description Whole number in the currency's minor unit: 1999 for 19.99 EUR. */
            amount?: number;
            /** @enum {string|null} */
            reason?: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null;
            /** @description The merchant's own number, such as that of the order: up to 100 printable ASCII characters. */
            reference?: string | null;
            metadata?: {
                [key: string]: string;
            };
        };
        Transaction: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "transaction";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            paymentIntentId: string;
            attemptId: string;
            refundId: string | null;
            /** @enum {string} */
            type: "authorization" | "capture" | "void" | "refund";
            amount: number;
            currency: string;
            provider: string;
            providerReference: string;
            /** Format: date-time */
            createdAt: string;
            amountRefunded?: number;
            amountRefundable?: number;
        };
        WebhookDelivery: {
            id: string;
            /** @constant */
            object: "webhook_delivery";
            eventId: string;
            webhookEndpointId: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "canceled";
            /** @enum {string|null} */
            reason: "attempts_used_up" | "endpoint_disabled" | "endpoint_deleted" | "event_not_kept" | "earlier_event_pending" | null;
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            nextAttemptAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            finishedAt: string | null;
        };
        RedeliverEventRequest: {
            webhookEndpointId?: string;
        };
        WebhookEndpoint: {
            id: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            object: "webhook_endpoint";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            url: string;
            description: string | null;
            enabledEvents: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabledReason: "by_merchant" | "gone" | "failing" | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            /** Format: date-time */
            lastFailureAt: string | null;
            lastFailure: string | null;
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CreateWebhookEndpointRequest: {
            /** Format: uri */
            url: string;
            /** @default null */
            description?: string | null;
            /**
             * @default [
             *       "*"
             *     ]
             */
            enabledEvents?: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled")[];
        };
        UpdateWebhookEndpointRequest: {
            /** Format: uri */
            url?: string;
            description?: string | null;
            enabledEvents?: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled")[];
            active?: boolean;
        };
        RotateWebhookEndpointSecretRequest: {
            /** @default 86400 */
            overlapSeconds?: number;
        };
        PaymentIntentPage: {
            success: boolean;
            data: components["schemas"]["PaymentIntent"][];
            pagination: components["schemas"]["Pagination"];
        };
        Pagination: {
            page: number;
            limit: number;
            total: number;
            totalPages: number;
            /** @description Present if the list is too long to count, so that `total` is an estimate. */
            totalIsEstimate?: boolean;
        };
        CreatedPaymentIntentResponse: {
            success: boolean;
            data: components["schemas"]["CreatedPaymentIntent"];
        };
        /** @description The only response with the client secret. */
        CreatedPaymentIntent: {
            id: string;
            /** @constant */
            object: "payment_intent";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            amount: number;
            currency: string;
            amountCapturable: number;
            amountCaptured: number;
            amountRefunded: number;
            /** @enum {string} */
            status: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
            reference: string | null;
            description: string | null;
            customerId: string | null;
            country: string | null;
            /** @enum {string} */
            captureMethod: "automatic" | "manual";
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            nextAction: components["schemas"]["NextAction"] | null;
            provider: string | null;
            attempts: components["schemas"]["PaymentAttempt"][];
            lastError: components["schemas"]["LastError"] | null;
            advisory: components["schemas"]["Advisory"] | null;
            /** @enum {string|null} */
            cancellationReason: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned" | "requested_by_operator" | "retries_exhausted" | "authorization_lapsed" | null;
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description The workflow in the Temporal UI, when a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
            clientSecret: string;
        };
        PaymentIntentResponse: {
            success: boolean;
            data: components["schemas"]["PaymentIntent"];
        };
        StoredPaymentMethodResponse: {
            success: boolean;
            data: components["schemas"]["StoredPaymentMethod"];
        };
        /** @description A payment method that is stored for one payment intent. */
        StoredPaymentMethod: {
            id: string;
            /** @constant */
            object: "payment_method";
            paymentIntentId: string;
            paymentMethod: components["schemas"]["MaskedPaymentMethod"];
        };
        TimelineLineListResponse: {
            success: boolean;
            data: components["schemas"]["TimelineLine"][];
        };
        TimelineLine: {
            /** Format: date-time */
            at: string;
            kind: string;
            summary: string;
            details: {
                [key: string]: unknown;
            } | null;
        };
        CustomerPage: {
            success: boolean;
            data: components["schemas"]["Customer"][];
            pagination: components["schemas"]["Pagination"];
        };
        CustomerResponse: {
            success: boolean;
            data: components["schemas"]["Customer"];
        };
        DeletedCustomerResponse: {
            success: boolean;
            data: components["schemas"]["DeletedCustomer"];
        };
        MerchantAccountPage: {
            success: boolean;
            data: components["schemas"]["MerchantAccount"][];
            pagination: components["schemas"]["Pagination"];
        };
        MerchantAccountResponse: {
            success: boolean;
            data: components["schemas"]["MerchantAccount"];
        };
        ApiKeyPage: {
            success: boolean;
            data: components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        IssuedApiKeyResponse: {
            success: boolean;
            data: components["schemas"]["IssuedApiKey"];
        };
        IssuedApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            name: string;
            prefix: string;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            scopes: string[];
            ipRestricted: boolean;
            ipAllowlist: string[];
            accountBound: boolean;
            signatureVersion: number;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            replacedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            apiKey: string | null;
            secretSalt: string | null;
            notice?: string;
        };
        ApiKeyResponse: {
            success: boolean;
            data: components["schemas"]["ApiKey"];
        };
        PaymentRoutePage: {
            success: boolean;
            data: components["schemas"]["PaymentRoute"][];
            pagination: components["schemas"]["Pagination"];
        };
        PaymentRouteResponse: {
            success: boolean;
            data: components["schemas"]["PaymentRoute"];
        };
        PaymentRouteSimulationResponse: {
            success: boolean;
            data: components["schemas"]["PaymentRouteSimulation"];
        };
        DeletedPaymentRouteResponse: {
            success: boolean;
            data: components["schemas"]["DeletedPaymentRoute"];
        };
        ChannelLimitPage: {
            success: boolean;
            data: components["schemas"]["ChannelLimit"][];
            pagination: components["schemas"]["Pagination"];
        };
        ChannelLimitResponse: {
            success: boolean;
            data: components["schemas"]["ChannelLimit"];
        };
        DeletedChannelLimitResponse: {
            success: boolean;
            data: components["schemas"]["DeletedChannelLimit"];
        };
        RefundPage: {
            success: boolean;
            data: components["schemas"]["Refund"][];
            pagination: components["schemas"]["Pagination"];
        };
        RefundResponse: {
            success: boolean;
            data: components["schemas"]["Refund"];
        };
        TransactionPage: {
            success: boolean;
            data: components["schemas"]["Transaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        TransactionResponse: {
            success: boolean;
            data: components["schemas"]["Transaction"];
        };
        EventPage: {
            success: boolean;
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
        };
        EventResponse: {
            success: boolean;
            data: components["schemas"]["Event"];
        };
        WebhookDeliveryPage: {
            success: boolean;
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookRedeliveryResponse: {
            success: boolean;
            data: components["schemas"]["WebhookRedelivery"];
        };
        AuditEventPage: {
            success: boolean;
            data: components["schemas"]["AuditEvent"][];
            pagination: components["schemas"]["Pagination"];
        };
        AuditEventResponse: {
            success: boolean;
            data: components["schemas"]["AuditEvent"];
        };
        RequestPage: {
            success: boolean;
            data: components["schemas"]["Request"][];
            pagination: components["schemas"]["Pagination"];
        };
        RequestResponse: {
            success: boolean;
            data: components["schemas"]["Request"];
        };
        ProviderHealthPage: {
            success: boolean;
            data: components["schemas"]["ProviderHealth"][];
            pagination: components["schemas"]["Pagination"];
        };
        ProviderHealthResponse: {
            success: boolean;
            data: components["schemas"]["ProviderHealth"];
        };
        WebhookEndpointPage: {
            success: boolean;
            data: components["schemas"]["WebhookEndpoint"][];
            pagination: components["schemas"]["Pagination"];
        };
        WebhookEndpointWithSecretResponse: {
            success: boolean;
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        WebhookEndpointWithSecret: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            url: string;
            description: string | null;
            enabledEvents: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
            /** @enum {string} */
            status: "enabled" | "disabled";
            /** @enum {string|null} */
            disabledReason: "by_merchant" | "gone" | "failing" | null;
            /** Format: date-time */
            disabledAt: string | null;
            /** Format: date-time */
            lastSuccessAt: string | null;
            /** Format: date-time */
            lastFailureAt: string | null;
            lastFailure: string | null;
            /** Format: date-time */
            previousSecretExpiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            secret: string | null;
            notice?: string;
        };
        WebhookEndpointResponse: {
            success: boolean;
            data: components["schemas"]["WebhookEndpoint"];
        };
        DeletedWebhookEndpointResponse: {
            success: boolean;
            data: components["schemas"]["DeletedWebhookEndpoint"];
        };
        WebhookTestResponse: {
            success: boolean;
            data: components["schemas"]["WebhookTest"];
        };
        HealthResponse: {
            success: boolean;
            data: components["schemas"]["Health"];
        };
        Health: {
            /** @constant */
            status: "ok";
        };
        ReadinessResponse: {
            success: boolean;
            data: components["schemas"]["Readiness"];
        };
        Readiness: {
            /** @constant */
            status: "ok";
            /** @constant */
            database: "ok";
            /** @constant */
            temporal: "ok";
        };
        WebhookReceiptResponse: {
            success: boolean;
            data: components["schemas"]["WebhookReceipt"];
        };
        WebhookReceipt: {
            received: boolean;
        };
        Customer: {
            id: string;
            /** @constant */
            object: "customer";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            reference: string | null;
            name: string | null;
            email: string | null;
            phone: string | null;
            description: string | null;
            country: string | null;
            metadata: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DeletedCustomer: {
            id: string;
            /** @constant */
            object: "customer";
            deleted: boolean;
        };
        MerchantAccount: {
            id: string;
            /** @constant */
            object: "merchant_account";
            /** @enum {string} */
            environment: "sandbox" | "production";
            name: string;
            /** @enum {string} */
            status: "active" | "suspended";
            /** @enum {string|null} */
            suspendedBy: "merchant" | "platform" | null;
            retryBudget: number;
            refundWindowDays: number;
            requireIdempotencyKeys: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        ApiKey: {
            id: string;
            /** @constant */
            object: "api_key";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            name: string;
            prefix: string;
            /** @enum {string} */
            status: "active" | "expired" | "revoked";
            scopes: string[];
            ipRestricted: boolean;
            ipAllowlist: string[];
            accountBound: boolean;
            signatureVersion: number;
            /** Format: date-time */
            expiresAt: string | null;
            /** Format: date-time */
            revokedAt: string | null;
            replacedBy: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PaymentRoute: {
            id: string;
            /** @constant */
            object: "payment_route";
            /** @enum {string} */
            environment: "sandbox" | "production";
            provider: string;
            /** @enum {string} */
            paymentMethod: "card" | "upi" | "crypto";
            currencies: string[];
            countries: string[];
            excludedCountries: string[];
            priority: number;
            weight: number;
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PaymentRouteSimulation: {
            /** @constant */
            object: "payment_route_simulation";
            amount: number;
            currency: string;
            /** @enum {string} */
            paymentMethod: "card" | "upi" | "crypto";
            country: string | null;
            routes: {
                routeId: string;
                provider: string;
                priority: number;
                weight: number;
                circuitOpen: boolean;
            }[];
            passedOver: {
                routeId: string;
                provider: string;
                /** @enum {string} */
                reason: "inactive" | "method" | "currency" | "provider_not_configured" | "country";
            }[];
            refusal: {
                /** @enum {string} */
                code: "CHANNEL_LIMIT_MIN_EXCEEDED" | "CHANNEL_LIMIT_MAX_EXCEEDED" | "NO_TSP_AVAILABLE" | "UNSUPPORTED_REGION";
                message: string;
                details?: {
                    [key: string]: unknown;
                };
            } | null;
        };
        DeletedPaymentRoute: {
            id: string;
            /** @constant */
            object: "payment_route";
            deleted: boolean;
        };
        ChannelLimit: {
            id: string;
            /** @constant */
            object: "channel_limit";
            /** @enum {string} */
            environment: "sandbox" | "production";
            /** @enum {string} */
            paymentMethod: "card" | "upi" | "crypto";
            currency: string;
            minimumAmount: number;
            maximumAmount: number;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        DeletedChannelLimit: {
            id: string;
            /** @constant */
            object: "channel_limit";
            deleted: boolean;
        };
        Event: {
            id: string;
            /** @constant */
            object: "event";
            /** @enum {string} */
            type: "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
            /** Format: date-time */
            createdAt: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            merchantId: string;
            sequence: number;
            data: components["schemas"]["PaymentIntent"] | components["schemas"]["Refund"] | components["schemas"]["Transaction"] | components["schemas"]["WebhookEndpoint"];
            /** @description Only with `payment_intent.stray_charge_reversed`: what the provider had charged for an attempt that had ended without a charge, and has returned. It was never part of the payment; amounts and transactions do not count it. */
            strayCharge?: {
                attemptId: string;
                provider: string;
                amount: number;
                currency: string;
                /** @enum {string} */
                reversedBy: "void" | "refund";
            };
        };
        WebhookRedelivery: {
            /** @constant */
            object: "webhook_redelivery";
            eventId: string;
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        AuditEvent: {
            id: string;
            /** @constant */
            object: "audit_event";
            /** @enum {string} */
            environment: "sandbox" | "production";
            merchantId: string | null;
            /** @enum {string} */
            action: "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "merchant_account.created" | "merchant_account.updated" | "merchant_account.suspended" | "merchant_account.activated" | "payment_route.created" | "payment_route.updated" | "payment_route.deleted" | "channel_limit.created" | "channel_limit.updated" | "channel_limit.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.deleted" | "payment_intent.provider_asked" | "payment_intent.settled";
            resourceId: string;
            actor: {
                /** @enum {string} */
                type: "api_key" | "operator" | "system";
                id: string;
                address: string;
            };
            before: {
                [key: string]: unknown;
            } | null;
            after: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
        };
        Request: {
            id: string;
            /** @constant */
            object: "request";
            merchantId: string;
            /** @enum {string} */
            environment: "sandbox" | "production";
            apiKeyId: string;
            method: string;
            path: string;
            status: number;
            code: string | null;
            durationMs: number;
            /** @description The JSON without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or no JSON. */
            requestBody: unknown;
            /** @description The JSON without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or no JSON. */
            responseBody: unknown;
            /** Format: date-time */
            createdAt: string;
        };
        ProviderHealth: {
            provider: string;
            /** @constant */
            object: "provider_health";
            /** @enum {string} */
            environment: "sandbox" | "production";
            windowSeconds: number;
            attempts: number;
            approved: number;
            unanswered: number;
            successRate: number | null;
            latency: {
                medianMs: number;
                p95Ms: number;
            } | null;
            circuit: {
                /** @enum {string} */
                state: "closed" | "open" | "half_open";
                /** Format: date-time */
                openUntil: string | null;
                /** Format: date-time */
                failingSince: string | null;
            };
        };
        WebhookTest: {
            /** @constant */
            object: "webhook_test";
            eventId: string;
            webhookEndpointId: string;
            /** Format: date-time */
            createdAt: string;
        };
        DeletedWebhookEndpoint: {
            id: string;
            /** @constant */
            object: "webhook_endpoint";
            deleted: boolean;
        };
    };
    responses: never;
    parameters: {
        /** @description The merchant account to act for; without it, the one that the API key was issued to. */
        MerchantId: string;
        /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
        IdempotencyKey: string;
        /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
        Prefer: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPaymentIntents: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                /** @description An id of anything about the payment: of the payment intent, an attempt, a transaction, a refund or the customer, or the one that a provider gave the payment or a refund. */
                id?: string;
                reference?: string;
                last4?: string;
                /** @description `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly. */
                metadata?: {
                    [key: string]: string;
                };
                status?: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
                customerId?: string;
                currency?: components["schemas"]["Currency"];
                /** @description The smallest amount, in minor units. */
                amountMin?: number;
                /** @description The largest amount, in minor units. */
                amountMax?: number;
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentPage"];
                };
            };
        };
    };
    createPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentIntentRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedPaymentIntentResponse"];
                };
            };
        };
    };
    getPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentResponse"];
                };
            };
        };
    };
    amendPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AmendPaymentIntentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentResponse"];
                };
            };
        };
    };
    createPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentMethodRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredPaymentMethodResponse"];
                };
            };
        };
    };
    confirmPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmPaymentIntentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentResponse"];
                };
            };
        };
    };
    cancelPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelPaymentIntentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentResponse"];
                };
            };
        };
    };
    capturePaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CapturePaymentIntentRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentResponse"];
                };
            };
        };
    };
    getPaymentIntentTimeline: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `pi_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineLineListResponse"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                reference?: string;
                /** @description `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly. */
                metadata?: {
                    [key: string]: string;
                };
                email?: string;
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerPage"];
                };
            };
        };
    };
    createCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerResponse"];
                };
            };
        };
    };
    getCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `cus_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerResponse"];
                };
            };
        };
    };
    replaceCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `cus_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CreateCustomerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerResponse"];
                };
            };
        };
    };
    deleteCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `cus_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedCustomerResponse"];
                };
            };
        };
    };
    updateCustomer: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `cus_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCustomerRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CustomerResponse"];
                };
            };
        };
    };
    listMerchantAccounts: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountPage"];
                };
            };
        };
    };
    createMerchantAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateMerchantAccountRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountResponse"];
                };
            };
        };
    };
    getMerchantAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `mer_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountResponse"];
                };
            };
        };
    };
    updateMerchantAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `mer_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateMerchantAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountResponse"];
                };
            };
        };
    };
    suspendMerchantAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `mer_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendMerchantAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountResponse"];
                };
            };
        };
    };
    activateMerchantAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `mer_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendMerchantAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MerchantAccountResponse"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyPage"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyResponse"];
                };
            };
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `key_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
        };
    };
    updateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `key_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `key_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendMerchantAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyResponse"];
                };
            };
        };
    };
    rotateApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `key_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateApiKeyRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedApiKeyResponse"];
                };
            };
        };
    };
    listPaymentRoutes: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                provider?: string;
                paymentMethod?: "card" | "upi" | "crypto";
                currency?: components["schemas"]["Currency"];
                country?: components["schemas"]["Country"];
                active?: "true" | "false";
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRoutePage"];
                };
            };
        };
    };
    createPaymentRoute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentRouteRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRouteResponse"];
                };
            };
        };
    };
    simulatePaymentRoutes: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SimulatePaymentRoutesRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRouteSimulationResponse"];
                };
            };
        };
    };
    getPaymentRoute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `rt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRouteResponse"];
                };
            };
        };
    };
    deletePaymentRoute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `rt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedPaymentRouteResponse"];
                };
            };
        };
    };
    updatePaymentRoute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `rt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentRouteRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentRouteResponse"];
                };
            };
        };
    };
    listChannelLimits: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                paymentMethod?: "card" | "upi" | "crypto";
                currency?: components["schemas"]["Currency"];
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelLimitPage"];
                };
            };
        };
    };
    putChannelLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The payment method. */
                paymentMethod: "card" | "upi" | "crypto";
                /** @description ISO 4217, upper case. */
                currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAD" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutChannelLimitRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelLimitResponse"];
                };
            };
        };
    };
    deleteChannelLimit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The payment method. */
                paymentMethod: "card" | "upi" | "crypto";
                /** @description ISO 4217, upper case. */
                currency: "AED" | "AFN" | "ALL" | "AMD" | "AOA" | "ARS" | "AUD" | "AWG" | "AZN" | "BAM" | "BBD" | "BDT" | "BHD" | "BIF" | "BMD" | "BND" | "BOB" | "BRL" | "BSD" | "BTN" | "BWP" | "BYN" | "BZD" | "CAD" | "CDF" | "CHF" | "CLP" | "CNY" | "COP" | "CRC" | "CUP" | "CVE" | "CZK" | "DJF" | "DKK" | "DOP" | "DZD" | "EGP" | "ERN" | "ETB" | "EUR" | "FJD" | "FKP" | "GBP" | "GEL" | "GHS" | "GIP" | "GMD" | "GNF" | "GTQ" | "GYD" | "HKD" | "HNL" | "HTG" | "HUF" | "IDR" | "ILS" | "INR" | "IQD" | "IRR" | "ISK" | "JMD" | "JOD" | "JPY" | "KES" | "KGS" | "KHR" | "KMF" | "KPW" | "KRW" | "KWD" | "KYD" | "KZT" | "LAK" | "LBP" | "LKR" | "LRD" | "LSL" | "LYD" | "MAD" | "MDL" | "MGA" | "MKD" | "MMK" | "MNT" | "MOP" | "MRU" | "MUR" | "MVR" | "MWK" | "MXN" | "MYR" | "MZN" | "NAD" | "NGN" | "NIO" | "NOK" | "NPR" | "NZD" | "OMR" | "PAB" | "PEN" | "PGK" | "PHP" | "PKR" | "PLN" | "PYG" | "QAR" | "RON" | "RSD" | "RUB" | "RWF" | "SAR" | "SBD" | "SCR" | "SDG" | "SEK" | "SGD" | "SHP" | "SLE" | "SOS" | "SRD" | "SSP" | "STN" | "SVC" | "SYP" | "SZL" | "THB" | "TJS" | "TMT" | "TND" | "TOP" | "TRY" | "TTD" | "TWD" | "TZS" | "UAH" | "UGX" | "USD" | "UYU" | "UZS" | "VED" | "VES" | "VND" | "VUV" | "WST" | "XAD" | "XAF" | "XCD" | "XCG" | "XOF" | "XPF" | "YER" | "ZAR" | "ZMW" | "ZWG";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedChannelLimitResponse"];
                };
            };
        };
    };
    listRefunds: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                paymentIntentId?: string;
                reference?: string;
                /** @description `metadata[key]=value`, up to 10 times: only what has all of these pairs, exactly. */
                metadata?: {
                    [key: string]: string;
                };
                status?: "pending" | "succeeded" | "failed";
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundPage"];
                };
            };
        };
    };
    createRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
                /** @description `respond-async`: respond at once instead of waiting for the outcome (by default up to 15 seconds). */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRefundRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
        };
    };
    getRefund: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `re_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefundResponse"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                paymentIntentId?: string;
                type?: "authorization" | "capture" | "void" | "refund";
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionPage"];
                };
            };
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `txn_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                type?: "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.stray_charge_reversed" | "refund.created" | "refund.succeeded" | "refund.failed" | "transaction.created" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
                resourceId?: string;
                after?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `evt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventResponse"];
                };
            };
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `evt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    redeliverEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `evt_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RedeliverEventRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRedeliveryResponse"];
                };
            };
        };
    };
    listAuditEvents: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                action?: "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "merchant_account.created" | "merchant_account.updated" | "merchant_account.suspended" | "merchant_account.activated" | "payment_route.created" | "payment_route.updated" | "payment_route.deleted" | "channel_limit.created" | "channel_limit.updated" | "channel_limit.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.deleted" | "payment_intent.provider_asked" | "payment_intent.settled";
                resourceId?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
        };
    };
    getAuditEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `aud_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventResponse"];
                };
            };
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
                status?: number;
                code?: string;
                path?: string;
                createdAfter?: string;
                createdBefore?: string;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestPage"];
                };
            };
        };
    };
    getRequest: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `req_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestResponse"];
                };
            };
        };
    };
    listProviderHealth: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderHealthPage"];
                };
            };
        };
    };
    getProviderHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The name of the provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderHealthResponse"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description From 1. Beyond 1000, narrow the list by its filters, such as `createdBefore`. */
                page?: number;
                limit?: number;
            };
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpointRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretResponse"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `whe_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `whe_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpointResponse"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `whe_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpointRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointResponse"];
                };
            };
        };
    };
    rotateWebhookEndpointSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `whe_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookEndpointSecretRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecretResponse"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `whe_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuspendMerchantAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
        };
    };
}
