// Written by `npm run generate` from the OpenAPI document.
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
         * Update a payment intent
         * @description Before the first confirm everything can be changed; `description`, `metadata` and `reference` in every state, also after the end. Whatever changes is in the timeline; after a confirm it is in the audit log too.
         *
         *     Needs the scope `payment-intents:write`.
         */
        patch: operations["updatePaymentIntent"];
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
         * @description What the card fields of the checkout SDK call. The id is good for this payment intent only. With `paymentMethodId` and `cvc` it stands for a saved payment method and its security code, which the page then need not have. The security code of a card is erased when an attempt with it has an outcome, or the payment ends.
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
    "/api/v1/payment-intents/{id}/saved-payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the saved payment methods with which the payment's customer can pay, the preferred one first
         * @description What the checkout SDK calls. A page gets them only if the payment was created with `allowSavedPaymentMethods`; otherwise the answer is `RESOURCE_NOT_FOUND`.
         *
         *     Needs the scope `payment-intents:read`. A checkout page may do it with the client secret of the payment intent, until 24 hours after the end of the payment.
         */
        get: operations["listUsableSavedPaymentMethods"];
        put?: never;
        post?: never;
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
    "/api/v1/payment-intents/{id}/ask-provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the provider at once what became of a payment
         * @description For support staff: it needs the scope `support:read` too. The engine asks by itself, with growing pauses.
         *
         *     Needs the scope `payment-intents:write`.
         */
        post: operations["askProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/resolve-by-hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record what became of a payment whose provider does not say it, or reports another amount
         * @description For support staff: it needs the scope `support:read` too. The provider is asked once more, and a final answer of it counts more. It takes effect when another person sends the same. Allowed once the operation has waited for its provider for minutes, as `advisory` shows.
         *
         *     Needs the scope `payment-intents:write`.
         */
        post: operations["resolvePaymentIntentByHand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-intents/{id}/resolve-stray-charge-by-hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record that a stray charge was returned by hand
         * @description For support staff: it needs the scope `support:read` too. The provider is asked once more, and a final answer of it counts more. It takes effect when another person sends the same. Allowed once the operation has waited for its provider for minutes, as `advisory` shows.
         *
         *     Needs the scope `payment-intents:write`.
         */
        post: operations["resolveStrayChargeByHand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment links, newest first
         * @description Needs the scope `payment-links:read`.
         */
        get: operations["listPaymentLinks"];
        put?: never;
        /**
         * Create a payment link: an address at which customers pay an amount
         * @description Send `url` to the customer, or print it as a QR code. The page opens a payment intent when the customer pays; `GET /payment-intents?paymentLinkId=…` lists these, and events tell of them like of all others.
         *
         *     Needs the scope `payment-links:write`.
         */
        post: operations["createPaymentLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a payment link
         * @description Needs the scope `payment-links:read`.
         */
        get: operations["getPaymentLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Deactivate or activate a payment link, or change its description
         * @description Amount and currency stay as customers have seen them: create another link, and deactivate this one. A payment that has begun before a link is deactivated can be completed within 30 minutes.
         *
         *     Needs the scope `payment-links:write`.
         */
        patch: operations["updatePaymentLink"];
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
    "/api/v1/payment-methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List saved payment methods, newest first
         * @description Needs the scope `payment-methods:read`.
         */
        get: operations["listSavedPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/payment-methods/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a saved payment method
         * @description Needs the scope `payment-methods:read`.
         */
        get: operations["getSavedPaymentMethod"];
        put?: never;
        post?: never;
        /**
         * Remove a saved payment method
         * @description Its card number is erased at once, and nothing can be charged with it any more. The engine then has each provider remove its token, for as long as that takes.
         *
         *     Needs the scope `payment-methods:write`.
         */
        delete: operations["removeSavedPaymentMethod"];
        options?: never;
        head?: never;
        /**
         * Update a saved payment method
         * @description Omitted fields stay unchanged. A new default replaces the former one of the customer.
         *
         *     Needs the scope `payment-methods:write`.
         */
        patch: operations["updateSavedPaymentMethod"];
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
         * Change a merchant account, and what customers see of it
         * @description Customers see `businessProfile` on the pages of payment links; of its members, too, those that are left out stay unchanged. The retry budget applies to payments that are created from then on. With `requireIdempotencyKeys`, refunds and captures of the account need an `X-Idempotency-Key`; without one they get `MISSING_REQUIRED_FIELD`.
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
         * @description The new key belongs to the merchant account that the request acts for. It gets at most the rights of the key that creates it: scopes that one has itself, addresses that lie within its `ipAllowlist` if it is `ipRestricted`, no later `expiresAt`, `accountBound` if that one is, and no earlier `signatureVersion`. Limits that the request leaves out are those of that key, except that a new key is on signature version 2 unless the request names version 1. With a key that is `accountBound`, `X-Merchant-ID` may only name the own account of the key. The account has at most 100 live keys. Only a repeat with the same idempotency key, made with the same API key, returns `apiKey` and `secretSalt` again; made with another key it returns `null` for both.
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
         * @description The request needs a key that has all scopes of the revoked one; a key may revoke itself. If no other key is left, the command `npm run merchant -- key <account>` creates one. The key that replaced it in a rotation (`replacedBy`), and what it has made, stay as they are: `GET /api-keys/{id}/created-resources` lists it. Revoke and disable it too if somebody else may have had the key. Revoking a revoked key changes nothing.
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
         * @description Returns the new key with its secrets. The old key expires after `overlapSeconds`, or at its own expiry if that is sooner. A key can be rotated once, and only by a key that has all of its scopes and could have created it: with no earlier expiry, no narrower list of addresses, and not bound to its account unless the old key is. The new key has the signature version of the old one; with `signatureVersion: 2` it takes version 2; a key on version 2 stays there, and rotates no key to version 1. Leave an overlap where a key rotates itself: with `overlapSeconds: 0` it could not repeat the request if the response with the new secrets is lost.
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
    "/api/v1/api-keys/{id}/created-resources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what an API key has made that still stands, newest first
         * @description API keys, webhook endpoints, accounts at providers, routes and payment links that requests with the key have made, in all accounts that it acts for: they go on working when the key is revoked. Of each kind at most the newest 500 are listed, and only kinds whose `:read` scope the request has.
         *
         *     Needs the scope `api-keys:read`.
         */
        get: operations["listApiKeyCreatedResources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the merchant account's accounts at providers, newest first
         * @description Needs the scope `provider-accounts:read`.
         */
        get: operations["listProviderAccounts"];
        put?: never;
        /**
         * Create an account at a provider, with its credentials
         * @description The account belongs to the merchant account and the environment of the key. Its credentials are stored encrypted, and no response has the secret ones. Test them with `POST /provider-accounts/{id}/test`, enter `webhookPath` in the provider's dashboard, and name the account's id as the provider of payment routes. A merchant account has at most 100 accounts at providers.
         *
         *     Needs the scope `provider-accounts:write`.
         */
        post: operations["createProviderAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-accounts/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the providers at which accounts can be created, with the credentials of each
         * @description For a form in which a person enters the credentials of an account.
         *
         *     Needs the scope `provider-accounts:read`.
         */
        get: operations["getProviderKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an account at a provider, without its secrets
         * @description Needs the scope `provider-accounts:read`.
         */
        get: operations["getProviderAccount"];
        put?: never;
        post?: never;
        /**
         * Delete an account at a provider, with its credentials
         * @description Refused while a payment route names the account, or a payment, refund or stray charge is under way there. Afterwards attempts still show its id; payments that were captured there can no longer be refunded here.
         *
         *     Needs the scope `provider-accounts:write`.
         */
        delete: operations["deleteProviderAccount"];
        options?: never;
        head?: never;
        /**
         * Rename an account at a provider, or switch it off or on
         * @description Omitted fields stay unchanged. Routes to a disabled account are skipped; payments, captures and refunds that are under way there are still completed.
         *
         *     Needs the scope `provider-accounts:write`.
         */
        patch: operations["updateProviderAccount"];
        trace?: never;
    };
    "/api/v1/provider-accounts/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the credentials of an account at a provider
         * @description The new credentials replace all earlier ones, and are used from the next call on. Webhooks that were signed with an earlier secret are accepted until its own overlap ends, however often the credentials are replaced meanwhile.
         *
         *     Needs the scope `provider-accounts:write`.
         */
        post: operations["rotateProviderAccountCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-accounts/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test whether the credentials of an account at a provider work
         * @description Sends the provider a request that changes nothing. `ok` is false if the provider refuses the credentials; if it gives no usable answer, the error says so.
         *
         *     Needs the scope `provider-accounts:write`.
         */
        post: operations["testProviderAccount"];
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
         * @description The route belongs to the merchant and the environment of the key, and applies from the next confirm on. Empty lists mean "any"; an excluded country is never accepted. Routes with a lower `priority` are tried first; among equals the order is drawn for each payment, by `weight`. The provider is one that the engine has for everybody, or an account of this merchant account (`/provider-accounts`), which other accounts' payments skip. A merchant has at most 500 routes in each environment.
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
    "/api/v1/card-groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List groups of cards, newest first
         * @description Needs the scope `card-groups:read`.
         */
        get: operations["listCardGroups"];
        put?: never;
        /**
         * Create a group of cards, which routes can ask for
         * @description A card that is sent from now on belongs to the group if its number begins with one of the prefixes. Only the ids of its groups are kept with the card, no digits. A route takes the cards of the groups that it names in `cardGroups`. The group belongs to the merchant and the environment of the key; a merchant has at most 20.
         *
         *     Needs the scope `card-groups:write`.
         */
        post: operations["createCardGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/card-groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a group of cards
         * @description Needs the scope `card-groups:read`.
         */
        get: operations["getCardGroup"];
        put?: never;
        post?: never;
        /**
         * Delete a group of cards that no route names
         * @description Needs the scope `card-groups:write`.
         */
        delete: operations["deleteCardGroup"];
        options?: never;
        head?: never;
        /**
         * Change a group of cards
         * @description Cards that were sent before stay in the groups to which they belonged then.
         *
         *     Needs the scope `card-groups:write`.
         */
        patch: operations["updateCardGroup"];
        trace?: never;
    };
    "/api/v1/route-sets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sets of routes, newest first, without their routes
         * @description Needs the scope `route-sets:read`.
         */
        get: operations["listRouteSets"];
        put?: never;
        /**
         * Prepare changes of several routes, which apply together once the set is activated
         * @description The set has all your routes as they are now, with the changes that you name; without changes it keeps them as they are. No payment takes it until it is activated. Shares of routes can be given in percent (`sharePercent`). The newest 100 sets are kept.
         *
         *     Needs the scope `route-sets:write`.
         */
        post: operations["createRouteSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/route-sets/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a set of routes, and what its activation would change
         * @description Needs the scope `route-sets:read`.
         */
        get: operations["getRouteSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/route-sets/{id}/activate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let payments take the routes of the set, all at once
         * @description Every confirm is planned by the routes before or by those of the set, never by some of each. The routes before are kept as a set: activate `replacedSetId` to return to them. Routes keep their ids, also if they come back.
         *
         *     Needs the scope `route-sets:write`.
         */
        post: operations["activateRouteSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/route-sets/{id}/back-test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan the payments of the last days again, under the set
         * @description Says where the payments of this merchant account would have gone first, and how many approvals to expect by the rates that their providers had. It calls nobody and changes nothing. It takes every provider as reachable, and plans first attempts alone: no retries, no failover. Payments whose payment method was deleted meanwhile are left out.
         *
         *     Needs the scope `route-sets:read`.
         */
        post: operations["backTestRouteSet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/routing-settings/{paymentMethod}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve how routes of equal priority are ordered, and the approval rates of their providers
         * @description Needs the scope `routing-settings:read`.
         */
        get: operations["getRoutingSetting"];
        /**
         * Set how routes of equal priority are ordered
         * @description Applies to all accounts of the merchant in the environment of the key, from the next confirm on. With `approval_rate`, the rates are measured from then on for each account; until a provider has `minimumAttempts`, its routes get their share by `weight`. Priorities and conditions of routes count as before, and providers with an open circuit are tried last.
         *
         *     Needs the scope `routing-settings:write`.
         */
        put: operations["putRoutingSetting"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
    "/api/v1/refunds/{id}/resolve-by-hand": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record what became of a refund whose provider does not say it, or reports another amount
         * @description For support staff: it needs the scope `support:read` too. The provider is asked once more, and a final answer of it counts more. It takes effect when another person sends the same. Allowed once the operation has waited for its provider for minutes, as `advisory` shows.
         *
         *     Needs the scope `refunds:write`.
         */
        post: operations["resolveRefundByHand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes, newest first
         * @description Needs the scope `disputes:read`.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a dispute
         * @description Needs the scope `disputes:read`.
         */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the draft of the answer to a dispute
         * @description Nothing is sent to the provider before the answer is submitted.
         *
         *     Needs the scope `disputes:write`.
         */
        patch: operations["updateDispute"];
        trace?: never;
    };
    "/api/v1/disputes/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add a file to the draft of the answer to a dispute
         * @description A file takes the place of an earlier one of its kind. It is stored encrypted, and leaves only to the provider.
         *
         *     Needs the scope `disputes:write`.
         */
        post: operations["uploadDisputeFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/files/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a file of the draft of the answer to a dispute
         * @description Needs the scope `disputes:write`.
         */
        delete: operations["deleteDisputeFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the evidence to the provider, which is final
         * @description The dispute is `submitting` until the provider has taken the evidence, and `under_review` afterwards. If the provider refuses it, the dispute is in `needs_response` again, and `lastError` says why.
         *
         *     Needs the scope `disputes:write`. Needs `X-Idempotency-Key` where the account has `requireIdempotencyKeys`.
         */
        post: operations["submitDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/disputes/{id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give up the disputed money, which is final
         * @description The dispute is `accepting` until the provider has answered, and `lost` afterwards.
         *
         *     Needs the scope `disputes:write`. Needs `X-Idempotency-Key` where the account has `requireIdempotencyKeys`.
         */
        post: operations["acceptDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlements, newest first
         * @description Providers are asked for their settlements once a day.
         *
         *     Needs the scope `settlements:read`.
         */
        get: operations["listSettlements"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlements/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a settlement
         * @description Needs the scope `settlements:read`.
         */
        get: operations["getSettlement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlements/{id}/bank-confirmation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what the bank statement says of a settlement
         * @description It can be said once, and changes no money.
         *
         *     Needs the scope `settlements:write`.
         */
        post: operations["confirmSettlement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlement-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of settlements, newest first
         * @description With those that are expected and missing. An entry that was corrected is not listed any more.
         *
         *     Needs the scope `settlements:read`.
         */
        get: operations["listSettlementEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settlement-entries/{entryId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve an entry of a settlement
         * @description Needs the scope `settlements:read`.
         */
        get: operations["getSettlementEntry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * End an exception of a settlement, with a note
         * @description Only an exception can be ended. It changes no money.
         *
         *     Needs the scope `settlements:write`.
         */
        patch: operations["resolveSettlementEntry"];
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
         * @description With `after`, the id of an event, only later events are listed, and **oldest first**. To read on without a gap, pass the id of the last event of the page. An event in `after` or `before` that is unknown or was purged is `RESOURCE_NOT_FOUND`.
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
    "/api/v1/events/redeliver-missed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver to a webhook endpoint the events since a time that it has missed
         * @description These are the events that the endpoint subscribes to, and that were not delivered to it and are not pending: for example because every attempt failed, or because the endpoint was disabled or did not exist yet. The oldest are sent first, at most 1000 by one request, of the account's newest 10000 events. While the endpoint fails, they wait with its other deliveries.
         *
         *     Needs the scope `events:redeliver`.
         */
        post: operations["redeliverMissedEvents"];
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
         *     Needs the scope `events:redeliver`.
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
         * @description Who changed API keys, merchant accounts, accounts at providers, payment routes, channel limits and webhook endpoints of the merchant in the environment of the key, from where, and how; what support staff did about its payments; and the sign-ins of its team, which are in both environments. A key that is `accountBound` sees the changes of what belongs to its account. Old entries are purged.
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
         * @description Of several requests with one id, which a client may send in `X-Request-Id`, it is the latest; the id in the header `X-Engine-Request-Id` of a response is of that request alone.
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
         * List the health of the providers, by name
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
         * Retrieve the health of one provider
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
    "/api/v1/statistics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve volume, approval rates, failures and refunds of a time
         * @description Counts and sums of the account in one currency, by hour or by day of UTC, kept as long as payments. Everything counts when it happened: a refund counts in the hour in which it succeeded, not in that of its payment. The figures follow within seconds; `asOf` says how far they are.
         *
         *     Needs the scope `statistics:read`.
         */
        get: operations["getStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/statistics/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve disputes by month, and what card schemes allow
         * @description Counts of the account in all currencies, by calendar month of UTC, by provider and by reason. A dispute counts when it began, became a chargeback, or ended.
         *
         *     Needs the scope `statistics:read`.
         */
        get: operations["getDisputeStatistics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comparisons with providers' lists of payments, newest first
         * @description The engine compares the list of payments of each provider with its own, several times a day. Where a provider is shared by several accounts, a run shows and counts the merchant account's own payments only, and runs that found none of them are not listed. Of its own accounts at providers every run is listed whole.
         *
         *     Needs the scope `reconciliation-runs:read`.
         */
        get: operations["listReconciliationRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reconciliation-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a comparison, with what differs
         * @description Differences about the merchant account's own payments only and, at its own account at a provider, about payments that the engine does not know. Those that are `reported` also arrive as the event `reconciliation.difference_found`, unless an earlier run has found the same.
         *
         *     Needs the scope `reconciliation-runs:read`.
         */
        get: operations["getReconciliationRun"];
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
         * @description Events are posted as `GET /events/{id}` returns them, signed according to the Standard Webhooks specification. In production the address must use HTTPS and be on the public internet. Without `enabledEvents` every event is sent. The request needs a key with `events:read`, or with the `:read` scope of each resource whose events the endpoint receives. A merchant account has at most 20 endpoints. Only a repeat with the same idempotency key, made with the same API key, returns `secret` again; made with another key it returns `null`.
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
         * @description Omitted fields stay unchanged. Events that happen while an endpoint is disabled are not delivered afterwards, unless `POST /events/{id}/redeliver` requests it. A request that changes the address or the types, or enables the endpoint, needs the scopes that creating it needs.
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
         * @description For `overlapSeconds`, each webhook has a signature by the secret that is replaced too. Secrets of earlier rotations sign until their own overlap ends; there are at most 10 of them.
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
    "/api/v1/webhook-endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries to a webhook endpoint with a status, with every attempt, newest first
         * @description Deliveries are kept as long as events.
         *
         *     Needs the scope `webhook-endpoints:read`.
         */
        get: operations["listWebhookEndpointDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the test clock of the sandbox account
         * @description Needs the scope `test-clock:read`.
         */
        get: operations["getTestClock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-clock/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the test clock: the open payments of the sandbox account become older
         * @description Each open payment is made older by `seconds`, within a moment: `expiresAt` and its other deadlines come that much closer, and what is then due happens at once, with the events as usual. The clock is `advancing` until every open payment has followed it. The refund window of captured payments comes to its end by as much. Payments that are created later are not older. Production has no test clocks.
         *
         *     Needs the scope `test-clock:write`.
         */
        post: operations["advanceTestClock"];
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
            /** @description Always false: the request failed. */
            success: boolean;
            error: components["schemas"]["ApiError"];
        };
        /** @description What went wrong. */
        ApiError: {
            code: components["schemas"]["ErrorCode"];
            /** @description What went wrong, for people, in English. The text may change. */
            message: string;
            type: components["schemas"]["ErrorType"];
            /** @description What else is known of the error. */
            details?: components["schemas"]["ErrorDetails"];
            /** @description The id of the request, for support; the same as the header `X-Request-Id`. */
            requestId: string;
        };
        /**
         * @description Every error code of the API, and why it is returned. `/docs/errors` says what to do about each.
         *
         *     - `UNAUTHORIZED`: `Authorization` is missing, was sent twice, is not `Bearer` and a key, or names a key or client secret that does not exist.
         *     - `INVALID_SIGNATURE`: The signature is not that of this request. Most often the body was serialized twice, and the bytes that were signed are not the bytes that were sent. It also comes when the salt belongs to another key, when a key on version 2, as every new key is, is used with version 1, and when a nonce is used again (`details.reason: "nonce_used"`). A provider's webhook gets it where it lacks the provider's own signature.
         *     - `TIMESTAMP_EXPIRED`: `X-Timestamp` is missing, is not a UTC time such as `2026-11-22T12:00:00Z`, or is more than 5 minutes off.
         *     - `API_KEY_REVOKED`: Somebody revoked the key.
         *     - `API_KEY_EXPIRED`: The key's `expiresAt` has passed. A rotation sets it: the old key expires when the overlap ends. Or the request came from a page with a client secret whose payment has ended: the secret can then only read the payment, for 24 hours more.
         *     - `IP_NOT_WHITELISTED`: The key accepts requests only from the addresses of its `ipAllowlist`, and this one came from another address.
         *     - `INSUFFICIENT_PERMISSIONS`: The key lacks the scope of the operation. `details.scope` names it, and so does the operation's description. Or a checkout page asked for more than its own payment.
         *     - `FORBIDDEN`: The key may not act for the account in `X-Merchant-ID`, or a production key came over plain HTTP, or the operation does not exist for this key.
         *     - `MERCHANT_SUSPENDED`: The merchant account is suspended. Every request that acts for it is refused; people in the dashboard can still read.
         *     - `INVALID_REQUEST`: The request cannot be read: malformed JSON, a member that is there twice, a body that is not an object, another content type than `application/json`, a body that is too large. Or a required field is absent: then `details.field` names it.
         *     - `VALIDATION_ERROR`: The request can be read, but values are wrong. `details.fields` has every field with its problem, unknown fields included.
         *     - `INVALID_AMOUNT`: The amount is 0 or less, larger than the engine takes, or, in a capture, more than is authorized. An amount that is no whole number, such as `19.99` or `"1999"`, gets `VALIDATION_ERROR`.
         *     - `INVALID_CURRENCY`: The currency is not one that the engine supports.
         *     - `INVALID_PAYMENT_METHOD`: The engine has no payment method of this name, or `paymentMethodId` is not stored for this payment intent. Wrong values of a method, such as a card number whose check digit is wrong, an expiry in the past or a malformed UPI address, get `VALIDATION_ERROR`.
         *     - `MISSING_REQUIRED_FIELD`: This request needs a field that others do not need, such as `paymentMethod` in the first confirm, or `X-Idempotency-Key` where the account demands it. `details.field` names it.
         *     - `RESOURCE_NOT_FOUND`: There is no such resource in this account and environment, or no such path. A provider's webhook gets it where the address names no provider, or an account at a provider that was deleted.
         *     - `PAYMENT_INTENT_NOT_FOUND`: The account has no payment intent with this id in this environment, or it is so old that it was deleted.
         *     - `TRANSACTION_NOT_FOUND`: The account has no transaction with this id in this environment.
         *     - `CUSTOMER_NOT_FOUND`: The account has no customer with this id, or the customer was deleted.
         *     - `REFUND_NOT_FOUND`: The account has no refund with this id in this environment.
         *     - `DUPLICATE_REQUEST`: The `X-Idempotency-Key` was used for another request, or the first request with it still runs.
         *     - `STATE_CONFLICT`: The state of the resource does not allow the operation, for example a capture of a payment that is captured. `details` has the state.
         *     - `PAYMENT_FAILED`: The provider could not process the payment, and did not say more.
         *     - `PAYMENT_DECLINED`: The provider or the customer's bank declined the payment, or the customer did. Pages get this code for `FRAUD_DETECTED` too.
         *     - `PAYMENT_EXPIRED`: The payment intent was not paid before its `expiresAt`. No attempt begins after it, so nothing was charged.
         *     - `INSUFFICIENT_FUNDS`: The customer's account does not have the money.
         *     - `CARD_DECLINED`: The card's issuer declined the payment and gave no reason that may be shown.
         *     - `FRAUD_DETECTED`: The provider considers the payment fraudulent. The payment intent has failed for good.
         *     - `LIMIT_EXCEEDED`: The amount is above a limit of the card or account, which the customer's bank sets.
         *     - `REFUND_FAILED`: The provider refused the refund, or reports that it failed after it had succeeded. The amount can be refunded again.
         *     - `REFUND_NOT_ALLOWED`: There is nothing to refund: the payment was not captured, or the transaction is not a capture. Or the account at the provider that captured it was deleted (`details.provider`). Or `details.reason` says why: `capture_reversed` if the provider reports that the captured money did not arrive after all, `disputed` if all that is left is disputed (`details.disputeId`): a chargeback returns the money as well, so that a refund would return it twice.
         *     - `REFUND_AMOUNT_EXCEEDED`: The amount is more than what is left after earlier refunds, including those that are still pending, and after what is disputed.
         *     - `REFUND_WINDOW_CLOSED`: The account's refund window (`refundWindowDays`) is over for this payment; `details.refundableUntil` says since when.
         *     - `CHANNEL_LIMIT_MIN_EXCEEDED`: The amount is below the minimum of this payment method in this currency (`details.minimumAmount`).
         *     - `CHANNEL_LIMIT_MAX_EXCEEDED`: The amount is above the maximum of this payment method in this currency (`details.maximumAmount`).
         *     - `RATE_LIMIT_EXCEEDED`: Too many requests in a minute, with this API key, of this person or from this address; too many from this address at a time; too many cards that were declined, or left with 3-D Secure undone, within an hour; or too many CSV exports at once.
         *     - `TSP_ERROR`: The provider answered a capture, cancel or refund with an error.
         *     - `TSP_TIMEOUT`: The provider did not answer in time. What became of the request is not known yet.
         *     - `TSP_UNAVAILABLE`: The provider cannot be reached at the moment.
         *     - `NO_TSP_AVAILABLE`: No active payment route takes this payment method in this currency.
         *     - `UNSUPPORTED_REGION`: Routes take the method and currency, but none takes the customer's country.
         *     - `UNSUPPORTED_CURRENCY_PAIR`: No provider of the payment's routes takes the currency or the amount, such as KWD 1.005 at a provider that counts in steps of 0.010, or does not exchange the chosen crypto asset for the currency. Where that is known beforehand, no attempt is made: the message says what each provider takes, and `details.passedOver` has the routes with the reason.
         *     - `PROVIDER_VALIDATION_ERROR`: The provider refused the request for a reason that the engine does not know. `details.providerResponse` has it.
         *     - `PROVIDER_UNAVAILABLE`: No provider of the payment's routes could be reached in the time of the confirm: its first attempt begins within 20 s, further ones within 2 minutes. Nothing was charged. The `reason` `credentials_refused` in the details means that the provider refuses the credentials of its account: they have expired, were revoked, or lack a right.
         *     - `PAYMENT_STUCK`: A provider has accepted the payment and does not say how it ended. It is an advisory on the payment and an event, not an error response. The engine goes on asking. The advisory has the `reason` `credentials_refused` if the provider refuses the credentials of its account, so that nobody can say how the payment ended.
         *     - `PAYMENT_RETRIES_EXHAUSTED`: All attempts that the payment may make over its confirms are used up, so the intent was canceled.
         *     - `TSP_PAYMENT_FAILED`: The provider reported that the payment failed for good. `details.providerResponse` has its reason.
         *     - `CRYPTO_DEPOSIT_FAILED`: The deposit was too small, too large, in another asset, or taken back by the network. `details.reason` says which, and the other `details` how much came in.
         *     - `METHOD_NOT_ALLOWED`: The path exists, but not with this method. The header `Allow` lists its methods.
         *     - `NOT_ACCEPTABLE`: The `Accept` header allows no media type that the resource has. Every operation answers with `application/json`; the lists that can be exported have `text/csv` too.
         *     - `INTERNAL_ERROR`: Something went wrong in the engine.
         *     - `SERVICE_UNAVAILABLE`: The engine is overloaded, or a service that it needs is down: this request did nothing. If `details.paymentIntent` is there, the outcome is not known yet.
         * @enum {string}
         */
        ErrorCode: "UNAUTHORIZED" | "INVALID_SIGNATURE" | "TIMESTAMP_EXPIRED" | "API_KEY_REVOKED" | "API_KEY_EXPIRED" | "IP_NOT_WHITELISTED" | "INSUFFICIENT_PERMISSIONS" | "FORBIDDEN" | "MERCHANT_SUSPENDED" | "INVALID_REQUEST" | "VALIDATION_ERROR" | "INVALID_AMOUNT" | "INVALID_CURRENCY" | "INVALID_PAYMENT_METHOD" | "MISSING_REQUIRED_FIELD" | "RESOURCE_NOT_FOUND" | "PAYMENT_INTENT_NOT_FOUND" | "TRANSACTION_NOT_FOUND" | "CUSTOMER_NOT_FOUND" | "REFUND_NOT_FOUND" | "DUPLICATE_REQUEST" | "STATE_CONFLICT" | "PAYMENT_FAILED" | "PAYMENT_DECLINED" | "PAYMENT_EXPIRED" | "INSUFFICIENT_FUNDS" | "CARD_DECLINED" | "FRAUD_DETECTED" | "LIMIT_EXCEEDED" | "REFUND_FAILED" | "REFUND_NOT_ALLOWED" | "REFUND_AMOUNT_EXCEEDED" | "REFUND_WINDOW_CLOSED" | "CHANNEL_LIMIT_MIN_EXCEEDED" | "CHANNEL_LIMIT_MAX_EXCEEDED" | "RATE_LIMIT_EXCEEDED" | "TSP_ERROR" | "TSP_TIMEOUT" | "TSP_UNAVAILABLE" | "NO_TSP_AVAILABLE" | "UNSUPPORTED_REGION" | "UNSUPPORTED_CURRENCY_PAIR" | "PROVIDER_VALIDATION_ERROR" | "PROVIDER_UNAVAILABLE" | "PAYMENT_STUCK" | "PAYMENT_RETRIES_EXHAUSTED" | "TSP_PAYMENT_FAILED" | "CRYPTO_DEPOSIT_FAILED" | "METHOD_NOT_ALLOWED" | "NOT_ACCEPTABLE" | "INTERNAL_ERROR" | "SERVICE_UNAVAILABLE";
        /**
         * @description The type of the error, a group of codes.
         *
         *     - `authentication_error`: the API key, the signature or the time of the request is not accepted
         *     - `permission_error`: the API key may not do this
         *     - `validation_error`: the request is malformed, or a value in it is not valid
         *     - `resource_error`: the resource does not exist, or its state does not allow the operation
         *     - `payment_error`: the payment was refused or failed
         *     - `refund_error`: the refund was refused or failed
         *     - `rate_limit_error`: too many requests
         *     - `provider_error`: a provider failed
         *     - `operational_error`: no provider could carry out the payment, or a provider refused it for another reason
         *     - `internal_error`: the service failed or is overloaded
         * @enum {string}
         */
        ErrorType: "authentication_error" | "permission_error" | "validation_error" | "resource_error" | "payment_error" | "refund_error" | "rate_limit_error" | "provider_error" | "operational_error" | "internal_error";
        /** @description Details of the error; the members depend on the code. */
        ErrorDetails: {
            /** @description Every field that failed validation. */
            fields?: components["schemas"]["FieldProblem"][];
            /** @description The one field that is missing. */
            field?: string;
            /** @description The exact cause in one word, such as `nonce_used`. */
            reason?: string;
            /** @description The scope that the API key lacks. */
            scope?: string;
            /**
             * Format: int64
             * @description How many requests a minute are allowed.
             */
            limit?: number;
            /**
             * Format: int64
             * @description How many requests are left in the current minute.
             */
            remaining?: number;
            /**
             * Format: date-time
             * @description When the current minute ends; ISO 8601 in UTC.
             */
            resetAt?: string;
            /**
             * Format: int64
             * @description The smallest amount of the payment method, in the currency's minor unit.
             */
            minimumAmount?: number;
            /**
             * Format: int64
             * @description The largest amount of the payment method, in the currency's minor unit.
             */
            maximumAmount?: number;
            /** @description The payment intent after the failure. */
            paymentIntent?: components["schemas"]["FailedPaymentIntent"];
            /** @description The refund after the failure. */
            refund?: components["schemas"]["Refund"];
        } & {
            [key: string]: unknown;
        };
        /** @description What is wrong with one field. */
        FieldProblem: {
            /** @description The path of the field, such as `paymentMethod.card.number`. */
            field: string;
            /** @description What is wrong with it, for people, in English. */
            message: string;
            /**
             * @description What is wrong with it.
             *
             *     - `required`: it is missing
             *     - `invalid`: its value is not valid
             *     - `type`: its value has the wrong type
             *     - `min`: the number or time is too small
             *     - `max`: the number or time is too large
             *     - `too_short`: the text or list is too short
             *     - `too_long`: the text or list is too long
             *     - `unknown`: there is no such field
             * @enum {string}
             */
            code: "required" | "invalid" | "type" | "min" | "max" | "too_short" | "too_long" | "unknown";
        };
        /** @description ISO 4217, upper case. */
        Currency: string;
        /** @description ISO 3166-1 alpha-2, upper case, or null. */
        NullableCountry: string | null;
        /** @description ISO 3166-1 alpha-2, upper case. */
        Country: string;
        /** @description How the customer pays. Card data is encrypted at once. */
        PaymentMethod: components["schemas"]["CardPaymentMethod"] | components["schemas"]["UpiPaymentMethod"] | components["schemas"]["CryptoPaymentMethod"];
        /** @description A card by its number, or by a token of a provider that stands for it. */
        CardPaymentMethod: {
            /**
             * @description The payment method; the member of the same name has its data. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "card";
            /** @description A card. Its number and security code are encrypted at once, and returned by no response. */
            card?: {
                /** @description The card number: 12 to 19 digits with a valid check digit; spaces and dashes between them are ignored. */
                number: string;
                /**
                 * Format: int64
                 * @description The month in which the card expires, from 1 to 12.
                 */
                expiryMonth: number;
                /**
                 * Format: int64
                 * @description The year in which the card expires, with four digits. A card is refused once its month has ended everywhere on earth.
                 */
                expiryYear: number;
                /** @description The security code: 3 digits, or 4 for American Express; either for a card of an unknown brand. It is erased after the authorization. */
                cvc: string;
                /** @description The name on the card, up to 255 characters; null or left out if it is not known. */
                holderName?: string | null;
            };
            /** @description A card that a provider took on a page of its own: instead of `card`, a token of the provider, which stands for it. The payment can only go to that provider. The token is encrypted at once, and returned by no response. */
            providerToken?: {
                /** @description The provider that issued the token: the id of an account at a provider (`/provider-accounts`), or a simulated provider of the sandbox, such as `alpha`. */
                provider: string;
                /** @description The token. Of Stripe: a payment method (`pm_…`) or a confirmation token (`ctoken_…`). Of Adyen: `state.data.paymentMethod` of its page as JSON, or an object of `storedPaymentMethodId` and `shopperReference` as JSON. Of the simulator: a test token (`tok_…`). */
                token: string;
            };
        };
        /** @description A payment by UPI, in INR: by the address of the customer, or by link or QR code. */
        UpiPaymentMethod: {
            /**
             * @description The payment method; the member of the same name has its data. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "upi";
            /** @description A payment by UPI, in INR: by the address of the customer, or by link or QR code. */
            upi: {
                /** @description The virtual payment address of the customer, `name@bank`, whose app then asks for approval. Null or left out: the customer pays by the link in `nextAction`, or by scanning it as a QR code. */
                vpa?: string | null;
            };
        };
        /** @description A deposit of a cryptocurrency. */
        CryptoPaymentMethod: {
            /**
             * @description The payment method; the member of the same name has its data. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "crypto";
            /** @description A deposit of a cryptocurrency. */
            crypto: {
                /**
                 * @description What is deposited: `BTC`, `ETH`, `USDC` or `USDT`.
                 * @enum {string}
                 */
                asset: "BTC" | "ETH" | "USDC" | "USDT";
                /**
                 * @description The network of the deposit. It must be one that the asset can be deposited on.
                 * @enum {string}
                 */
                network: "bitcoin" | "ethereum" | "polygon" | "tron";
            };
        };
        /** @description What the customer has agreed to, and from where. */
        Consent: {
            /**
             * Format: date-time
             * @description When the customer agreed; ISO 8601 in UTC. Left out: now.
             */
            acceptedAt?: string;
            /** @description The IP address from which the customer agreed; null if it is not known. */
            ipAddress?: string | null;
            /** @description The customer's browser, as it names itself, up to 512 characters; null if it is not known. */
            userAgent?: string | null;
            /** @description The text that the customer agreed to, up to 500 characters; null if it is not kept. */
            text?: string | null;
        };
        /** @description An asset on the network on which it is deposited. */
        DepositedAsset: {
            /**
             * @description The asset, such as `USDC`.
             * @enum {string}
             */
            asset: "BTC" | "ETH" | "USDC" | "USDT";
            /**
             * @description The network, such as `ethereum`.
             * @enum {string}
             */
            network: "bitcoin" | "ethereum" | "polygon" | "tron";
        };
        /** @description A route that the set adds. */
        RouteSetCreation: {
            /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
            provider: string;
            /**
             * @description The payment method that takes the route: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /**
             * @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
             * @default []
             */
            currencies?: components["schemas"]["Currency"][];
            /**
             * @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
             * @default []
             */
            countries?: components["schemas"]["Country"][];
            /**
             * @description Customers' countries that the route does not accept, although `countries` would.
             * @default []
             */
            excludedCountries?: components["schemas"]["Country"][];
            /**
             * Format: int64
             * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             * @default null
             */
            amountMin?: number | null;
            /**
             * Format: int64
             * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             * @default null
             */
            amountMax?: number | null;
            /**
             * @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
             * @default []
             */
            cardBrands?: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
            /**
             * @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
             * @default []
             */
            cardGroups?: string[];
            /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description The capture methods that the route accepts, `automatic` or `manual`; empty for both.
             * @default []
             */
            captureMethods?: ("automatic" | "manual")[];
            /**
             * @description Who initiates the payments that the route accepts; empty for both.
             *
             *     - `customer`: the customer, who is present
             *     - `merchant`: the merchant, without the customer (off-session)
             * @default []
             */
            initiators?: ("customer" | "merchant")[];
            /**
             * Format: int64
             * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
             * @default 100
             */
            priority?: number;
            /**
             * Format: int64
             * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000. 1 if neither it nor `sharePercent` is given.
             */
            weight?: number;
            /**
             * @description Whether payments may take the route.
             * @default true
             */
            active?: boolean;
            /**
             * Format: int64
             * @description Instead of `weight`: the share of payments that try the route first, in percent, 1 to 100. If one active route of a method has it, all active ones with equal `priority` need it, and together they have 100.
             */
            sharePercent?: number;
        };
        /** @description A route of yours, and what the set changes in it. */
        RouteSetUpdate: {
            /** @description The unique id of the payment route, which begins with `rt_`. */
            id: string;
            /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
            provider?: string;
            /**
             * @description The payment method that takes the route: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod?: "card" | "upi" | "crypto";
            /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
            currencies?: components["schemas"]["Currency"][];
            /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
            countries?: components["schemas"]["Country"][];
            /** @description Customers' countries that the route does not accept, although `countries` would. */
            excludedCountries?: components["schemas"]["Country"][];
            /**
             * Format: int64
             * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMin?: number | null;
            /**
             * Format: int64
             * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMax?: number | null;
            /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
            cardBrands?: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
            /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
            cardGroups?: string[];
            /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
            captureMethods?: ("automatic" | "manual")[];
            /**
             * @description Who initiates the payments that the route accepts; empty for both.
             *
             *     - `customer`: the customer, who is present
             *     - `merchant`: the merchant, without the customer (off-session)
             */
            initiators?: ("customer" | "merchant")[];
            /**
             * Format: int64
             * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
             */
            priority?: number;
            /**
             * Format: int64
             * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
             */
            weight?: number;
            /** @description Whether payments may take the route. */
            active?: boolean;
            /**
             * Format: int64
             * @description Instead of `weight`: the share of payments that try the route first, in percent, 1 to 100. If one active route of a method has it, all active ones with equal `priority` need it, and together they have 100.
             */
            sharePercent?: number;
        };
        /**
         * @description A type of events that an endpoint can select.
         *
         *     - `*`: every type
         *     - `payment_intent.created`: a payment intent was created
         *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
         *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
         *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
         *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
         *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
         *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
         *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
         *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
         *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
         *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
         *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
         *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
         *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
         *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
         *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
         *     - `refund.succeeded`: the provider refunded the money
         *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
         *     - `transaction.created`: money moved or was held
         *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
         *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
         *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
         *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
         *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
         *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
         *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
         *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
         *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
         *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
         *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
         *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
         *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
         *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
         *     - `settlement.paid`: a provider says that it has paid a settlement
         *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
         *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
         *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
         *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
         *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
         *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
         * @enum {string}
         */
        SelectableEventType: "*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.amount_captured_changed" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.waiting_for_provider" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.refunded" | "payment_intent.stray_charge_reversed" | "payment_intent.fraud_warning" | "refund.created" | "refund.waiting_for_provider" | "refund.succeeded" | "refund.failed" | "transaction.created" | "payment_method.saved" | "payment_method.updated" | "payment_method.invalidated" | "payment_method.detached" | "dispute.created" | "dispute.updated" | "dispute.response_due" | "dispute.funds_withdrawn" | "dispute.funds_reinstated" | "dispute.closed" | "provider_account.credentials_refused" | "provider_account.credentials_accepted" | "reconciliation.difference_found" | "settlement.created" | "settlement.paid" | "settlement.failed" | "settlement.difference_found" | "card_testing.suspected" | "webhook_endpoint.failing" | "webhook_endpoint.recovered" | "webhook_endpoint.disabled";
        /** @description A notice that does not change the state: the engine continues. */
        Advisory: {
            /**
             * @description What the notice says. More codes may be added.
             *
             *     - `PAYMENT_STUCK`: the payment has been in `processing` for more than 90 seconds
             *     - `WAITING_FOR_PROVIDER`: an operation has waited for the answer of its provider for minutes
             * @enum {string}
             */
            code: "PAYMENT_STUCK" | "WAITING_FOR_PROVIDER";
            /**
             * Format: date-time
             * @description Since when the payment is in its state, or the operation waits; ISO 8601 in UTC.
             */
            since: string;
            /**
             * @description What waits for the provider. Present only with `WAITING_FOR_PROVIDER`.
             *
             *     - `close`: an attempt is to be closed, because the payment expired or was canceled
             *     - `capture`: held money is to be captured
             *     - `void`: a hold is to be voided
             *     - `refund`: captured money is to be refunded
             *     - `reversal`: a stray charge is to be returned
             * @enum {string}
             */
            operation?: "close" | "capture" | "void" | "refund" | "reversal";
            /**
             * @description Why the provider does not answer. Absent where that is not known; more reasons may be added.
             *
             *     - `credentials_refused`: it refuses the credentials of its account, so that nobody can say how the payment ended; the engine goes on by itself once they work again
             * @enum {string}
             */
            reason?: "credentials_refused";
        };
        /** @description A part of a fee. */
        SettlementFee: {
            /**
             * @description What the part is.
             *
             *     - `interchange`: what the customer's bank gets
             *     - `scheme`: what the card network gets
             *     - `markup`: what the provider adds
             *     - `provider`: what the provider takes, where it does not say of what that consists
             *     - `tax`: tax on the fee
             *     - `other`: something else
             * @enum {string}
             */
            type: "interchange" | "scheme" | "markup" | "provider" | "tax" | "other";
            /**
             * Format: int64
             * @description The part of the fee, in the currency's minor unit.
             */
            amount: number;
        };
        /** @description An amount on one side of an exception. */
        SettlementSide: {
            /**
             * Format: int64
             * @description The amount, in the currency's minor unit, with its sign.
             */
            amount: number;
            /** @description The currency, as its ISO 4217 code. */
            currency: string;
        };
        /** @description One request to an endpoint and its result. */
        WebhookAttempt: {
            /**
             * Format: int64
             * @description The number of the attempt within its delivery, from 1.
             */
            number: number;
            /**
             * Format: date-time
             * @description When the request was sent; ISO 8601 in UTC.
             */
            startedAt: string;
            /**
             * Format: int64
             * @description How long the request took, in milliseconds.
             */
            durationMs: number;
            /**
             * Format: int64
             * @description The HTTP status of the response; null if there was none.
             */
            statusCode: number | null;
            /**
             * @description Why the attempt failed; null if the event was delivered.
             *
             *     - `timeout`: no response within 15 seconds
             *     - `connection_refused`: nothing accepts connections at the address
             *     - `connection_lost`: the connection was closed before there was a response
             *     - `host_not_found`: the name of the host has no address
             *     - `address_not_allowed`: the address is not on the public internet
             *     - `certificate_not_valid`: the TLS certificate is not valid for the host
             *     - `status_not_2xx`: the response had another status than 2xx; redirects are not followed
             * @enum {string|null}
             */
            error: "timeout" | "connection_refused" | "connection_lost" | "host_not_found" | "address_not_allowed" | "certificate_not_valid" | "status_not_2xx" | null;
            /** @description The first 4 KB of the response body, without card numbers, e-mail addresses and secrets of this engine; null if there was no response. */
            responseBody: string | null;
        };
        /** @description A masked payment method. */
        MaskedPaymentMethod: components["schemas"]["MaskedCard"] | components["schemas"]["MaskedUpi"] | components["schemas"]["MaskedCrypto"];
        /** @description A card, of which only the last four digits are shown. */
        MaskedCard: {
            /**
             * @description The payment method. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "card";
            /** @description The brand of the card in lower case, such as `visa` or `american_express`; `unknown` if the number belongs to none, or while only the provider knows the card that its token stands for. */
            brand: string;
            /** @description The last four digits of the card number; null while only the provider knows the card. */
            last4: string | null;
            /**
             * Format: int64
             * @description The month in which the card expires, from 1 to 12; null while only the provider knows the card.
             */
            expiryMonth: number | null;
            /**
             * Format: int64
             * @description The year in which the card expires, with four digits; null while only the provider knows the card.
             */
            expiryYear: number | null;
        };
        /** @description A UPI address, partly hidden. */
        MaskedUpi: {
            /**
             * @description The payment method. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "upi";
            /** @description The UPI address, of whose name only the first and last letter are shown: `s*****s@upi`; null where the customer pays by link or QR code. */
            vpa: string | null;
        };
        /** @description A deposit of a cryptocurrency. */
        MaskedCrypto: {
            /**
             * @description The payment method. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "crypto";
            /** @description What is deposited, such as `USDC`. */
            asset: string;
            /** @description The network of the deposit, such as `ethereum`. */
            network: string;
        };
        /** @description What the customer has to do before the payment continues. */
        NextAction: components["schemas"]["RedirectAction"] | components["schemas"]["ApproveInAppAction"] | components["schemas"]["CryptoDepositAction"];
        /** @description The customer has to visit a page. */
        RedirectAction: {
            /**
             * @description What the customer has to do.
             *
             *     - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
             *     - `approve_in_app`: approve the payment in the UPI app
             *     - `crypto_deposit`: send a deposit to an address (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "redirect";
            /**
             * Format: uri
             * @description The page to send the customer to. It leads back to `returnUrl`, if there is one, with the id of the payment as the query parameter `paymentIntentId`.
             */
            url: string;
            /** @description Present only if the payment has no `returnUrl`, so that the customer would not come back. */
            warning?: string;
        };
        /** @description The customer has to approve the payment in an app. */
        ApproveInAppAction: {
            /**
             * @description What the customer has to do.
             *
             *     - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
             *     - `approve_in_app`: approve the payment in the UPI app
             *     - `crypto_deposit`: send a deposit to an address (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "approve_in_app";
            /**
             * @description The kind of app in which the customer approves the payment.
             * @constant
             */
            app: "upi";
            /** @description A link that opens a UPI app on a phone; elsewhere show it as a QR code. Left out if the provider gives none. */
            link?: string;
        };
        /** @description The customer has to send a deposit. */
        CryptoDepositAction: {
            /**
             * @description What the customer has to do.
             *
             *     - `redirect`: visit a page of the provider or the bank, such as for 3-D Secure
             *     - `approve_in_app`: approve the payment in the UPI app
             *     - `crypto_deposit`: send a deposit to an address (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "crypto_deposit";
            /** @description What to deposit, such as `USDC`. */
            asset: string;
            /** @description The network on which to deposit it. A deposit on another network is lost. */
            network: string;
            /** @description The address to send the deposit to. It is for this payment only. */
            address: string;
            /** @description How much to deposit: a decimal number in the asset's own unit, as a string, such as `19.99`. */
            amount: string;
            /**
             * Format: int64
             * @description How many confirmations of the network the deposit needs before the payment succeeds.
             */
            confirmationsRequired: number;
            /**
             * Format: date-time
             * @description Until when the deposit must be in a block of the network; a later one does not pay. Left out if the provider sets no such time.
             */
            expiresAt?: string;
        };
        /** @description One route tried for one intent. */
        PaymentAttempt: {
            /** @description The unique id of the attempt, which begins with `att_`. It is the provider's idempotency key. */
            id: string;
            /** @description The id of the payment route (`rt_…`) that the attempt took. */
            route: string;
            /** @description The provider that was called. */
            provider: string;
            /** @description What this attempt was to be paid with, masked: another one than that of the payment where several were tried. */
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            /**
             * Format: int64
             * @description How many calls were made to the provider, repeats included.
             */
            tries: number;
            /**
             * @description How the attempt ended; null while it is open.
             *
             *     - `approved`: the provider authorized the money
             *     - `declined`: the provider refused it, but another card or method may work
             *     - `failed`: the provider refused it for good
             *     - `not_charged`: the provider could not be reached, and has confirmed that it charged nothing
             *     - `canceled`: the attempt was given up before the provider charged anything
             * @enum {string|null}
             */
            outcome: "approved" | "declined" | "failed" | "not_charged" | "canceled" | null;
            /** @description The error code of an attempt that did not succeed; null otherwise. */
            code: string | null;
            /**
             * @description What the decline tells you to do; null where there was none, or where the provider gave a reason that is not known.
             *
             *     - `never`: do not send this card again: it is lost or closed, or the issuer forbids it. This payment does not take it again
             *     - `later`: the same card may be approved later, as `lastError.details.retryAfter` says if it is there
             *     - `elsewhere`: the same card may be approved at another provider
             *     - `authenticate`: the customer has to be authenticated; confirm with a `returnUrl`, the customer being present
             *     - `correct_data`: the customer has to correct what was entered, or has a new card
             * @enum {string|null}
             */
            advice: "never" | "later" | "elsewhere" | "authenticate" | "correct_data" | null;
            /** @description The card network's own code of the decline, such as `05`; null where the provider does not pass it on. */
            networkCode: string | null;
            /**
             * Format: date-time
             * @description When the attempt began; ISO 8601 in UTC.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When the attempt ended; ISO 8601 in UTC. Null while it is open.
             */
            finishedAt: string | null;
        };
        /** @description Why the last confirm, capture or cancellation failed. */
        LastError: {
            /** @description The error code, one of `ErrorCode`. */
            code: string;
            /** @description A message for people, in English. */
            message: string;
            /** @description What else is known of the error; the members depend on the code. A decline has `advice` (see `PaymentAttempt`), `networkCode` and `retryAfter` (ISO 8601 in UTC) where they are known. Pages get no `networkCode`, and no details after the advice `never`. */
            details?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the error happened; ISO 8601 in UTC.
             */
            at: string;
        };
        /** @description Why the last attempt that was declined or failed did not pay. */
        LastDecline: {
            /** @description The attempt; it is among the payment intent's `attempts`. */
            attemptId: string;
            /** @description Why it did not pay, as a code of the error catalogue; null if that is not known. */
            code: string | null;
            /** @description The same for people; null if it is not known. */
            message: string | null;
            /**
             * @description What the decline tells you to do; null where there was none, or where the provider gave a reason that is not known.
             *
             *     - `never`: do not send this card again: it is lost or closed, or the issuer forbids it. This payment does not take it again
             *     - `later`: the same card may be approved later, as `lastError.details.retryAfter` says if it is there
             *     - `elsewhere`: the same card may be approved at another provider
             *     - `authenticate`: the customer has to be authenticated; confirm with a `returnUrl`, the customer being present
             *     - `correct_data`: the customer has to correct what was entered, or has a new card
             * @enum {string|null}
             */
            advice: "never" | "later" | "elsewhere" | "authenticate" | "correct_data" | null;
            /**
             * Format: date-time
             * @description When the attempt ended; ISO 8601 in UTC.
             */
            at: string;
        };
        /** @description A payment intent to create. */
        CreatePaymentIntentRequest: {
            /**
             * Format: int64
             * @description What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference?: string | null;
            /** @description A text of your own about the payment, up to 1,000 characters; null without one. */
            description?: string | null;
            /** @description The id of the customer (`cus_…`) who pays; null without one. */
            customerId?: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored. */
            country?: components["schemas"]["NullableCountry"];
            /**
             * @description When the money is taken.
             *
             *     - `automatic`: at once
             *     - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
             * @default automatic
             * @enum {string}
             */
            captureMethod?: "automatic" | "manual";
            paymentMethod?: components["schemas"]["PaymentMethod"];
            /** @description The id of a saved payment method (`spm_…`) of the customer, with which the payment is confirmed at once. */
            paymentMethodId?: string;
            /** @description The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization. */
            cvc?: string;
            /**
             * @description Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.
             *
             *     - `recurring`: by an agreed schedule, such as a subscription
             *     - `unscheduled`: when something falls due, such as a top-up
             * @enum {string}
             */
            offSession?: "recurring" | "unscheduled";
            /**
             * @description Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example.
             * @default false
             */
            allowSavedPaymentMethods?: boolean;
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
             * @enum {string|null}
             */
            setupFutureUsage?: "on_session" | "off_session" | null;
            /** @description What the customer has agreed to, and from where. A confirm by your server needs it if `setupFutureUsage` is `off_session`. Of a page only its `text` counts: address, browser and time are those of its request. */
            consent?: components["schemas"]["Consent"];
            /**
             * @description Whether to confirm the payment at once with `paymentMethod`, or the saved one of `paymentMethodId`; it then needs one of them.
             * @default false
             */
            confirm?: boolean;
            /**
             * Format: uri
             * @description Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so.
             */
            returnUrl?: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description After how many seconds the payment expires unless it is paid or being processed; 60 to 86,400 (one day). 1,800 (30 minutes) if it is left out.
             * @default 1800
             */
            expiresInSeconds?: number;
        };
        /** @description What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole. */
        UpdatePaymentIntentRequest: {
            /**
             * Format: int64
             * @description What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount?: number;
            /** @description The currency of all amounts of the payment, as its ISO 4217 code: `EUR`. */
            currency?: components["schemas"]["Currency"];
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference?: string | null;
            /** @description A text of your own about the payment, up to 1,000 characters; null without one. */
            description?: string | null;
            /** @description The id of the customer (`cus_…`) who pays; null without one. */
            customerId?: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored. */
            country?: components["schemas"]["NullableCountry"];
            /**
             * @description When the money is taken.
             *
             *     - `automatic`: at once
             *     - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
             * @enum {string}
             */
            captureMethod?: "automatic" | "manual";
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
             * @enum {string|null}
             */
            setupFutureUsage?: "on_session" | "off_session" | null;
            /**
             * Format: uri
             * @description Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so.
             */
            returnUrl?: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description A payment method to store for the payment intent, or the security code of a saved one. */
        CreatePaymentMethodRequest: {
            paymentMethod?: components["schemas"]["PaymentMethod"];
            /** @description The id of a saved payment method (`spm_…`) of the payment's customer, to be stored with its `cvc`. Send either this or `paymentMethod`. */
            paymentMethodId?: string;
            /** @description The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization. */
            cvc?: string;
        };
        /** @description How the customer pays. */
        ConfirmPaymentIntentRequest: {
            /** @description How the customer pays. Card data is encrypted at once. Left out: the payment method that the payment was created with. */
            paymentMethod?: components["schemas"]["PaymentMethod"];
            /** @description The id of a payment method (`pm_…`) that was stored for this payment intent, or of a saved one (`spm_…`) of its customer. Send either this or `paymentMethod`. */
            paymentMethodId?: string;
            /** @description The security code that the customer enters for a saved payment method; 3 or 4 digits. Leave it out if the customer enters none. It is erased after the authorization. */
            cvc?: string;
            /**
             * @description Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.
             *
             *     - `recurring`: by an agreed schedule, such as a subscription
             *     - `unscheduled`: when something falls due, such as a top-up A page cannot send it.
             * @enum {string}
             */
            offSession?: "recurring" | "unscheduled";
            /**
             * Format: uri
             * @description Where a customer returns to after a page of the provider, such as 3-D Secure: an `http` or `https` address of up to 2,048 characters. The engine adds the query parameter `paymentIntentId`. Without one, a customer who has to visit such a page does not come back; `nextAction.warning` then says so. Left out: that of the payment.
             */
            returnUrl?: string;
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent` Left out by your server: that of the payment. Left out by a page: nothing is saved.
             * @enum {string|null}
             */
            setupFutureUsage?: "on_session" | "off_session" | null;
            /** @description What the customer has agreed to, and from where. A confirm by your server needs it if `setupFutureUsage` is `off_session`. Of a page only its `text` counts: address, browser and time are those of its request. */
            consent?: components["schemas"]["Consent"];
        };
        /** @description Why the payment is canceled. */
        CancelPaymentIntentRequest: {
            /**
             * @description Why the payment is canceled.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: it was the same payment as another
             *     - `fraudulent`: it is suspected of fraud
             *     - `abandoned`: the customer left
             * @default requested_by_customer
             * @enum {string}
             */
            reason?: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned";
        };
        /** @description How much to capture. */
        CapturePaymentIntentRequest: {
            /**
             * Format: int64
             * @description How much to capture, in the currency's minor unit, at most `amountCapturable`. Left out: all of it.
             */
            amount?: number;
        };
        /** @description No data: an empty object, or no body at all. */
        AskProviderRequest: Record<string, never>;
        /** @description What you have found about the payment in the ledger of the provider. */
        ResolvePaymentIntentByHandRequest: {
            /**
             * @description What has become of the payment at the provider.
             *
             *     - `charged`: the provider has charged: the payment goes on as if it had said so
             *     - `not_charged`: the provider has not charged: the payment is canceled, and what was charged after all is returned
             *     - `reversed`: the provider reports another amount: the payment is canceled, and that amount is returned
             * @enum {string}
             */
            outcome: "charged" | "not_charged" | "reversed";
            /** @description What you have checked, and where; for the timeline and the audit log. */
            note: string;
            /** @description The provider's id of the payment. Required with `charged`. */
            providerPaymentId?: string;
            /**
             * Format: int64
             * @description The amount that the provider reports, in the currency's minor unit. Only where it reports another one than it was asked for.
             */
            amount?: number;
        };
        /** @description What has become of a stray charge. */
        ResolveStrayChargeByHandRequest: {
            /** @description The attempt that was charged. */
            attemptId: string;
            /**
             * @description What has become of the money.
             *
             *     - `returned`: somebody has returned it to the customer
             *     - `not_charged`: the provider has charged nothing
             * @enum {string}
             */
            outcome: "returned" | "not_charged";
            /** @description What you have checked, and where; for the timeline and the audit log. */
            note: string;
        };
        /** @description A payment link to create. Without `maxPayments` it can be paid once. */
        CreatePaymentLinkRequest: {
            /**
             * Format: int64
             * @description What each payment is for, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /** @description What is paid for, up to 500 characters; customers read it. Null without one. */
            description?: string | null;
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. Payments of the link get it too. */
            reference?: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. Payments of the link get it too. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The id of the customer (`cus_…`) whose payments these are; null without one. Payments of the link get it too. */
            customerId?: string | null;
            /**
             * @description What the page offers to save the card for; the customer decides by a box that is empty at first. Null to offer nothing. It needs `customerId`.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer
             * @enum {string|null}
             */
            setupFutureUsage?: "on_session" | "off_session" | null;
            /**
             * @description Whether the page shows the saved cards of `customerId`, masked, and takes them. Send true only if nobody but this customer gets the address.
             * @default false
             */
            allowSavedPaymentMethods?: boolean;
            /**
             * Format: int64
             * @description How many payments of the link may succeed; 1 makes a link that can be paid once. Null for any number. Payments that are refunded later count too.
             * @default 1
             */
            maxPayments?: number | null;
            /**
             * Format: date-time
             * @description Until when payments can begin; ISO 8601 with a zone, within ten years. Null for no end. A payment that has begun can be completed within 30 minutes.
             */
            expiresAt?: string | null;
        };
        /** @description What to change. Members that are left out stay unchanged; `null` clears the description. */
        UpdatePaymentLinkRequest: {
            /** @description What is paid for, up to 500 characters; customers read it. Null without one. */
            description?: string | null;
            /** @description Whether customers can pay. Set it to `false` to deactivate the link, and to `true` to activate it again. */
            active?: boolean;
        };
        /** @description All data of a customer. Members that are left out are empty. */
        CreateCustomerRequest: {
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference?: string | null;
            /** @description The customer's full name, up to 255 characters; null if it is not known. */
            name?: string | null;
            /** @description The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known. */
            email?: string | null;
            /** @description The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known. */
            phone?: string | null;
            /** @description A note of your own about the customer, up to 1,000 characters; null without one. */
            description?: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own. */
            country?: components["schemas"]["NullableCountry"];
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description What to change. Members that are left out stay unchanged; `null` clears one; `metadata` is replaced as a whole. */
        UpdateCustomerRequest: {
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference?: string | null;
            /** @description The customer's full name, up to 255 characters; null if it is not known. */
            name?: string | null;
            /** @description The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known. */
            email?: string | null;
            /** @description The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known. */
            phone?: string | null;
            /** @description A note of your own about the customer, up to 1,000 characters; null without one. */
            description?: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own. */
            country?: components["schemas"]["NullableCountry"];
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description What to change. Members that are left out stay unchanged; `metadata` is replaced as a whole. */
        UpdateSavedPaymentMethodRequest: {
            /** @description Whether it is the customer's preferred one; at most one of them is. */
            isDefault?: boolean;
            /**
             * Format: int64
             * @description The month in which the card expires, from 1 to 12; with `expiryYear`.
             */
            expiryMonth?: number;
            /**
             * Format: int64
             * @description The year in which the card expires, with four digits; with `expiryMonth`.
             */
            expiryYear?: number;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description A merchant account to create. */
        CreateMerchantAccountRequest: {
            /** @description A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it. */
            name: string;
            /**
             * Format: int64
             * @description How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
             * @default 5
             */
            retryBudget?: number;
            /**
             * Format: int64
             * @description For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
             * @default 180
             */
            refundWindowDays?: number;
            /**
             * @description Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`.
             * @default false
             */
            requireIdempotencyKeys?: boolean;
            /** @description What customers see of the account. */
            businessProfile?: {
                /** @description What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`. */
                name?: string | null;
                /** @description The colour of the button that pays, such as `#1d4f91`; null for that of the page. */
                color?: string | null;
                /** @description The logo, as a PNG image in Base64: at most 64 KiB, and 512 pixels wide and high. Null removes it. */
                logo?: string | null;
                /** @description The e-mail address to which customers can write; null without one. */
                supportEmail?: string | null;
                /** @description The telephone number that customers can call, such as `+49 30 901820`; null without one. */
                supportPhone?: string | null;
                /**
                 * Format: uri
                 * @description The web page that helps customers, with http or https; null without one.
                 */
                supportUrl?: string | null;
                /**
                 * Format: uri
                 * @description The web page with the terms of the merchant, with http or https; null without one.
                 */
                termsUrl?: string | null;
                /**
                 * Format: uri
                 * @description Where customers can go on after they have paid, with http or https; null without one.
                 */
                returnUrl?: string | null;
            };
            /**
             * Format: int64
             * @description From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
             * @default null
             */
            refundConfirmationAmount?: number | null;
            /** @description Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first. */
            declineRetries?: {
                /** @description Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow. */
                enabled?: boolean;
                /**
                 * Format: int64
                 * @description How many further providers one confirm may ask after declines; 0 to 3.
                 */
                maxRetries?: number;
                /** @description Whether it also goes on where the issuer gives no reason, and not only after technical declines. */
                issuerDeclines?: boolean;
            };
        };
        /** @description What to change. Members that are left out stay unchanged. */
        UpdateMerchantAccountRequest: {
            /** @description A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it. */
            name?: string;
            /**
             * Format: int64
             * @description How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
             */
            retryBudget?: number;
            /**
             * Format: int64
             * @description For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
             */
            refundWindowDays?: number;
            /** @description Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`. */
            requireIdempotencyKeys?: boolean;
            /** @description What customers see of the account. */
            businessProfile?: {
                /** @description What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`. */
                name?: string | null;
                /** @description The colour of the button that pays, such as `#1d4f91`; null for that of the page. */
                color?: string | null;
                /** @description The logo, as a PNG image in Base64: at most 64 KiB, and 512 pixels wide and high. Null removes it. */
                logo?: string | null;
                /** @description The e-mail address to which customers can write; null without one. */
                supportEmail?: string | null;
                /** @description The telephone number that customers can call, such as `+49 30 901820`; null without one. */
                supportPhone?: string | null;
                /**
                 * Format: uri
                 * @description The web page that helps customers, with http or https; null without one.
                 */
                supportUrl?: string | null;
                /**
                 * Format: uri
                 * @description The web page with the terms of the merchant, with http or https; null without one.
                 */
                termsUrl?: string | null;
                /**
                 * Format: uri
                 * @description Where customers can go on after they have paid, with http or https; null without one.
                 */
                returnUrl?: string | null;
            };
            /**
             * Format: int64
             * @description From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
             */
            refundConfirmationAmount?: number | null;
            /** @description Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first. */
            declineRetries?: {
                /** @description Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow. */
                enabled?: boolean;
                /**
                 * Format: int64
                 * @description How many further providers one confirm may ask after declines; 0 to 3.
                 */
                maxRetries?: number;
                /** @description Whether it also goes on where the issuer gives no reason, and not only after technical declines. */
                issuerDeclines?: boolean;
            };
        };
        /** @description An API key to create. Limits that are left out are those of the key that makes the request, except for `signatureVersion`, which is 2. */
        CreateApiKeyRequest: {
            /** @description A name for people, such as what uses the key; 1 to 255 characters. */
            name: string;
            /** @description What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds. */
            scopes: ("payment-intents:read" | "payment-intents:write" | "payment-links:read" | "payment-links:write" | "transactions:read" | "transactions:write" | "refunds:read" | "refunds:write" | "disputes:read" | "disputes:write" | "settlements:read" | "settlements:write" | "customers:read" | "customers:write" | "payment-methods:read" | "payment-methods:write" | "merchants:read" | "merchants:write" | "api-keys:read" | "api-keys:write" | "payment-routes:read" | "payment-routes:write" | "card-groups:read" | "card-groups:write" | "route-sets:read" | "route-sets:write" | "routing-settings:read" | "routing-settings:write" | "channel-limits:read" | "channel-limits:write" | "webhook-endpoints:read" | "webhook-endpoints:write" | "events:read" | "events:redeliver" | "audit-events:read" | "audit-events:write" | "requests:read" | "requests:write" | "provider-health:read" | "provider-health:write" | "provider-accounts:read" | "provider-accounts:write" | "statistics:read" | "statistics:write" | "reconciliation-runs:read" | "reconciliation-runs:write" | "test-clock:read" | "test-clock:write" | "support:read")[];
            /**
             * Format: date-time
             * @description When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
             */
            expiresAt?: string | null;
            /** @description IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100. */
            ipAllowlist?: string[];
            /** @description Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them. */
            ipRestricted?: boolean;
            /** @description Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other. */
            accountBound?: boolean;
            /**
             * Format: int64
             * @description The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
             */
            signatureVersion?: number;
        };
        /** @description What to change. Members that are left out stay unchanged; `null` removes the expiry. */
        UpdateApiKeyRequest: {
            /** @description A name for people, such as what uses the key; 1 to 255 characters. */
            name?: string;
            /** @description What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds. */
            scopes?: ("payment-intents:read" | "payment-intents:write" | "payment-links:read" | "payment-links:write" | "transactions:read" | "transactions:write" | "refunds:read" | "refunds:write" | "disputes:read" | "disputes:write" | "settlements:read" | "settlements:write" | "customers:read" | "customers:write" | "payment-methods:read" | "payment-methods:write" | "merchants:read" | "merchants:write" | "api-keys:read" | "api-keys:write" | "payment-routes:read" | "payment-routes:write" | "card-groups:read" | "card-groups:write" | "route-sets:read" | "route-sets:write" | "routing-settings:read" | "routing-settings:write" | "channel-limits:read" | "channel-limits:write" | "webhook-endpoints:read" | "webhook-endpoints:write" | "events:read" | "events:redeliver" | "audit-events:read" | "audit-events:write" | "requests:read" | "requests:write" | "provider-health:read" | "provider-health:write" | "provider-accounts:read" | "provider-accounts:write" | "statistics:read" | "statistics:write" | "reconciliation-runs:read" | "reconciliation-runs:write" | "test-clock:read" | "test-clock:write" | "support:read")[];
            /**
             * Format: date-time
             * @description When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
             */
            expiresAt?: string | null;
            /** @description IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100. */
            ipAllowlist?: string[];
            /** @description Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them. */
            ipRestricted?: boolean;
            /** @description Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other. */
            accountBound?: boolean;
            /**
             * Format: int64
             * @description The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
             */
            signatureVersion?: number;
        };
        /** @description How the key is replaced. */
        RotateApiKeyRequest: {
            /**
             * Format: int64
             * @description For how many seconds the old key stays valid beside the new one; 0 to 604800 (7 days).
             * @default 86400
             */
            overlapSeconds?: number;
            /**
             * Format: int64
             * @description The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
             */
            signatureVersion?: number;
        };
        /** @description An account at a provider to create. */
        CreateProviderAccountRequest: {
            /**
             * @description The provider that the account is at.
             *
             *     - `simulator`: Simulator: every payment method, at the simulator of the sandbox
             *     - `stripe`: Stripe: cards at your own Stripe account
             *     - `adyen`: Adyen: cards at your own Adyen account
             *     - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
             *     - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
             * @enum {string}
             */
            kind: "simulator" | "stripe" | "adyen" | "cashfree" | "evm";
            /** @description A name of your own for the account, up to 100 characters. */
            name: string;
            /**
             * @description What the provider knows the account by.
             *
             *     - `simulator`: `apiKey` (the simulator's API key), `webhookSecret` (what it signs webhooks with: `whsec_` and base64)
             *     - `stripe`: `secretKey` (a secret or restricted key, `sk_…` or `rk_…`), `webhookSecret` (the signing secret of the webhook endpoint, `whsec_…`)
             *     - `adyen`: `apiKey` (the key of an API credential), `merchantAccount` (the name of the merchant account at Adyen), `liveUrlPrefix` (the prefix of the live addresses; required in production), `hmacKey` (the HMAC key of the Standard webhook, in hexadecimal digits)
             *     - `cashfree`: `clientId` (the app id), `clientSecret` (the secret key), `fallbackPhone` (ten digits, for payments without the phone number of a customer), `preauthorization` (`true` if Cashfree holds card payments for the account; otherwise `false`, or left out)
             *     - `evm`: `xpub` (the extended public key of an account of your wallet, `xpub…` at `m/44'/60'/n'`; never a private key), `rpcUrl` (the address of a node that answers JSON-RPC, `https://…`), `chainId` (the id of the chain, a number: 1 is Ethereum, 137 is Polygon; it cannot be changed later), `network` (`ethereum` or `polygon`; it cannot be changed later), `confirmations` (how many blocks must follow a deposit's own, a number), `requireFinality` (`true` if its block must also be final; otherwise `false`, or left out), `quoteSeconds` (how long a quote is valid, from 60 to 3600; 1200 if left out), `tokens` (a list of `{asset, contract, decimals, priceFeed: {address, maximumAgeSeconds}}`), `currencies` (price feeds `{address, maximumAgeSeconds}` by currency, besides USD; may be left out)
             */
            credentials: {
                [key: string]: unknown;
            };
        };
        /** @description What to change. Members that are left out stay unchanged. */
        UpdateProviderAccountRequest: {
            /** @description A name of your own for the account, up to 100 characters. */
            name?: string;
            /**
             * @description Whether it takes new payments.
             *
             *     - `active`: it does
             *     - `disabled`: it does not; payments, captures and refunds that are under way are still completed there
             * @enum {string}
             */
            status?: "active" | "disabled";
        };
        /** @description The credentials that replace all earlier ones. */
        RotateProviderAccountCredentialsRequest: {
            /**
             * @description What the provider knows the account by.
             *
             *     - `simulator`: `apiKey` (the simulator's API key), `webhookSecret` (what it signs webhooks with: `whsec_` and base64)
             *     - `stripe`: `secretKey` (a secret or restricted key, `sk_…` or `rk_…`), `webhookSecret` (the signing secret of the webhook endpoint, `whsec_…`)
             *     - `adyen`: `apiKey` (the key of an API credential), `merchantAccount` (the name of the merchant account at Adyen), `liveUrlPrefix` (the prefix of the live addresses; required in production), `hmacKey` (the HMAC key of the Standard webhook, in hexadecimal digits)
             *     - `cashfree`: `clientId` (the app id), `clientSecret` (the secret key), `fallbackPhone` (ten digits, for payments without the phone number of a customer), `preauthorization` (`true` if Cashfree holds card payments for the account; otherwise `false`, or left out)
             *     - `evm`: `xpub` (the extended public key of an account of your wallet, `xpub…` at `m/44'/60'/n'`; never a private key), `rpcUrl` (the address of a node that answers JSON-RPC, `https://…`), `chainId` (the id of the chain, a number: 1 is Ethereum, 137 is Polygon; it cannot be changed later), `network` (`ethereum` or `polygon`; it cannot be changed later), `confirmations` (how many blocks must follow a deposit's own, a number), `requireFinality` (`true` if its block must also be final; otherwise `false`, or left out), `quoteSeconds` (how long a quote is valid, from 60 to 3600; 1200 if left out), `tokens` (a list of `{asset, contract, decimals, priceFeed: {address, maximumAgeSeconds}}`), `currencies` (price feeds `{address, maximumAgeSeconds}` by currency, besides USD; may be left out)
             */
            credentials: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description For how many seconds webhooks are accepted too that the provider signed with the earlier secret; 0 to 604800 (7 days). Set it to 0 if the secret has leaked. Calls use the new credentials at once.
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description A payment route to create. */
        CreatePaymentRouteRequest: {
            /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
            provider: string;
            /**
             * @description The payment method that takes the route: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /**
             * @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency.
             * @default []
             */
            currencies?: components["schemas"]["Currency"][];
            /**
             * @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country.
             * @default []
             */
            countries?: components["schemas"]["Country"][];
            /**
             * @description Customers' countries that the route does not accept, although `countries` would.
             * @default []
             */
            excludedCountries?: components["schemas"]["Country"][];
            /**
             * Format: int64
             * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             * @default null
             */
            amountMin?: number | null;
            /**
             * Format: int64
             * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             * @default null
             */
            amountMax?: number | null;
            /**
             * @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it.
             * @default []
             */
            cardBrands?: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
            /**
             * @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none.
             * @default []
             */
            cardGroups?: string[];
            /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
            metadata?: {
                [key: string]: string;
            };
            /**
             * @description The capture methods that the route accepts, `automatic` or `manual`; empty for both.
             * @default []
             */
            captureMethods?: ("automatic" | "manual")[];
            /**
             * @description Who initiates the payments that the route accepts; empty for both.
             *
             *     - `customer`: the customer, who is present
             *     - `merchant`: the merchant, without the customer (off-session)
             * @default []
             */
            initiators?: ("customer" | "merchant")[];
            /**
             * Format: int64
             * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
             * @default 100
             */
            priority?: number;
            /**
             * Format: int64
             * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
             * @default 1
             */
            weight?: number;
            /**
             * @description Whether payments may take the route.
             * @default true
             */
            active?: boolean;
        };
        /** @description A payment to simulate. */
        SimulatePaymentRoutesRequest: {
            /**
             * Format: int64
             * @description The amount of the payment that is simulated, in the currency's minor unit.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * @description The payment method that is simulated: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /**
             * @description How the payment that is simulated would be captured: `automatic` or `manual`.
             * @default automatic
             * @enum {string}
             */
            captureMethod?: "automatic" | "manual";
            /** @description The country that was compared with the routes: the payment's own, else its customer's; null if neither is known. */
            country?: components["schemas"]["NullableCountry"];
            /** @description The id of a customer (`cus_…`), whose country is used if `country` is left out. */
            customerId?: string | null;
            /** @description The provider that issued the token, of a payment by a provider's token; null or left out for every other payment. */
            tokenProvider?: string | null;
            /** @description The asset that would be deposited, and its network, of a payment by `crypto`; null or left out for every other payment, or if every asset is meant. */
            deposited?: components["schemas"]["DepositedAsset"] | null;
            /**
             * @description The brand of the card, such as `visa`; null or left out where it is not known, as that of a token.
             * @enum {string|null}
             */
            cardBrand?: "visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve" | null;
            /** @description The ids of the groups of cards that the card belongs to; left out for none. */
            cardGroups?: string[];
            /** @description The payment's metadata; left out for none. */
            metadata?: {
                [key: string]: string;
            };
            /** @description Whether you would initiate the payment without the customer; false if left out. */
            offSession?: boolean;
        };
        /** @description What to change. Members that are left out stay unchanged; lists are replaced as a whole. */
        UpdatePaymentRouteRequest: {
            /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
            provider?: string;
            /**
             * @description The payment method that takes the route: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod?: "card" | "upi" | "crypto";
            /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
            currencies?: components["schemas"]["Currency"][];
            /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
            countries?: components["schemas"]["Country"][];
            /** @description Customers' countries that the route does not accept, although `countries` would. */
            excludedCountries?: components["schemas"]["Country"][];
            /**
             * Format: int64
             * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMin?: number | null;
            /**
             * Format: int64
             * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMax?: number | null;
            /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
            cardBrands?: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
            /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
            cardGroups?: string[];
            /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
            metadata?: {
                [key: string]: string;
            };
            /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
            captureMethods?: ("automatic" | "manual")[];
            /**
             * @description Who initiates the payments that the route accepts; empty for both.
             *
             *     - `customer`: the customer, who is present
             *     - `merchant`: the merchant, without the customer (off-session)
             */
            initiators?: ("customer" | "merchant")[];
            /**
             * Format: int64
             * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
             */
            priority?: number;
            /**
             * Format: int64
             * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
             */
            weight?: number;
            /** @description Whether payments may take the route. */
            active?: boolean;
        };
        /** @description A group of cards to create. */
        CreateCardGroupRequest: {
            /** @description What people know the group by, such as `Corporate cards`; up to 100 characters. */
            name: string;
            /** @description The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole. */
            prefixes: string[];
        };
        /** @description What to change. Members that are left out stay unchanged; the prefixes are replaced as a whole. */
        UpdateCardGroupRequest: {
            /** @description What people know the group by, such as `Corporate cards`; up to 100 characters. */
            name?: string;
            /** @description The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole. */
            prefixes?: string[];
        };
        /** @description Changes of several routes, which apply together once the set is activated. */
        CreateRouteSetRequest: {
            /**
             * @description What people know the set by, such as `80 % to beta`; null for nothing.
             * @default null
             */
            description?: string | null;
            /** @description Routes that the set has besides yours, at most 500. */
            create?: components["schemas"]["RouteSetCreation"][];
            /** @description Routes of yours that the set has in another form; members that are left out stay as they are now. */
            update?: components["schemas"]["RouteSetUpdate"][];
            /**
             * @description The ids of routes of yours that the set does not have.
             * @default []
             */
            delete?: string[];
        };
        /** @description Which routes you expect to replace. */
        ActivateRouteSetRequest: {
            /** @description The routes that you expect to replace, by the `currentRoutesVersion` of the set; left out for any. */
            currentRoutesVersion?: string;
        };
        /** @description Which payments to plan again. */
        BackTestRouteSetRequest: {
            /**
             * Format: int64
             * @description The payments of how many days until now; 1 to 30.
             * @default 7
             */
            days?: number;
            /**
             * Format: int64
             * @description How many payments at most, the newest; 1 to 2,000.
             * @default 1000
             */
            limit?: number;
        };
        /** @description How routes of equal priority are ordered. What is left out gets its default. */
        PutRoutingSettingRequest: {
            /**
             * @description How routes of equal `priority` are ordered.
             *
             *     - `weighted`: each payment draws the order, by `weight`
             *     - `approval_rate`: the provider with the highest approval rate first, but for the exploration
             * @enum {string}
             */
            ordering: "weighted" | "approval_rate";
            /**
             * @description Of the payments that could go to the provider with the highest rate, how many go to the others instead, so that their rates stay known; 0.05 to 0.5.
             * @default 0.1
             */
            explorationShare?: number;
            /**
             * Format: int64
             * @description Attempts of a provider below which its rate does not count, and its routes get their share by `weight`; 10 to 1,000.
             * @default 50
             */
            minimumAttempts?: number;
            /**
             * Format: int64
             * @description After how many hours without an attempt a rate does not count any more; 1 to 168.
             * @default 24
             */
            windowHours?: number;
        };
        /** @description The smallest and largest amount, both inclusive. */
        PutChannelLimitRequest: {
            /**
             * Format: int64
             * @description The smallest amount that may be paid, in the currency's minor unit; payments below it get `CHANNEL_LIMIT_MIN_EXCEEDED`.
             */
            minimumAmount: number;
            /**
             * Format: int64
             * @description The largest amount that may be paid, in the currency's minor unit; payments above it get `CHANNEL_LIMIT_MAX_EXCEEDED`.
             */
            maximumAmount: number;
        };
        /** @description What to refund, and how much of it. */
        CreateRefundRequest: {
            /** @description The id of the capture (`txn_…`) to refund. Send either this or `paymentIntentId`. */
            transactionId?: string;
            /** @description The id of the payment intent (`pi_…`) to refund. Send either this or `transactionId`. */
            paymentIntentId?: string;
            /**
             * Format: int64
             * @description How much to refund, in the currency's minor unit. Left out: everything that is not refunded or disputed yet.
             */
            amount?: number;
            /**
             * @description Why the money is refunded; null if no reason was given.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: the customer paid twice
             *     - `fraudulent`: the payment is suspected of fraud
             *     - `other`: any other reason
             * @enum {string|null}
             */
            reason?: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null;
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference?: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata?: {
                [key: string]: string;
            };
        };
        /** @description What you have found about the refund in the ledger of the provider. */
        ResolveRefundByHandRequest: {
            /**
             * @description What has become of the refund at the provider.
             *
             *     - `refunded`: the provider has refunded the money
             *     - `not_refunded`: it has not, and will not: the refund fails, and the amount can be refunded again
             * @enum {string}
             */
            outcome: "refunded" | "not_refunded";
            /** @description What you have checked, and where; for the timeline and the audit log. */
            note: string;
            /** @description The provider's id of the refund. Required with `refunded`. */
            providerRefundId?: string;
            /**
             * Format: int64
             * @description The amount that the provider reports, in the currency's minor unit. Only where it reports another one than it was asked for.
             */
            amount?: number;
        };
        /** @description Changes the draft of the answer to a dispute. */
        UpdateDisputeRequest: {
            /** @description The texts to change; null removes one, and what is left out stays. */
            evidence: {
                /** @description Why the payment is right, in your own words. */
                explanation?: string | null;
                /** @description What was sold. */
                productDescription?: string | null;
                /** @description The name of the customer. */
                customerName?: string | null;
                /** @description The e-mail address of the customer. */
                customerEmailAddress?: string | null;
                /** @description The IP address from which the customer ordered. */
                customerPurchaseIp?: string | null;
                /** @description The billing address of the customer. */
                billingAddress?: string | null;
                /** @description Where the product was sent. */
                shippingAddress?: string | null;
                /** @description Who delivered it, such as DHL. */
                shippingCarrier?: string | null;
                /** @description The number by which the carrier finds the delivery. */
                shippingTrackingNumber?: string | null;
                /** @description When it was sent. */
                shippingDate?: string | null;
                /** @description When the service was provided. */
                serviceDate?: string | null;
                /** @description Proof that the customer used a digital product, such as times and addresses of sign-ins. */
                accessActivityLog?: string | null;
                /** @description How the customer was shown the refund policy before the payment. */
                refundPolicyDisclosure?: string | null;
                /** @description Why the customer is not entitled to a refund. */
                refundRefusalExplanation?: string | null;
                /** @description How the customer was shown the cancellation policy before the payment. */
                cancellationPolicyDisclosure?: string | null;
                /** @description Why the subscription was not canceled in time. */
                cancellationRebuttal?: string | null;
                /** @description Why two payments that look alike are for different things. */
                duplicateChargeExplanation?: string | null;
            };
        };
        /** @description A file for the answer to a dispute. */
        UploadDisputeFileRequest: {
            /**
             * @description What the file shows. A file takes the place of an earlier one of its kind.
             *
             *     - `receipt`: the receipt or the invoice
             *     - `customer_communication`: what was written with the customer
             *     - `customer_signature`: the customer's signature
             *     - `shipping_documentation`: proof of the delivery
             *     - `service_documentation`: proof of the service
             *     - `refund_policy`: the refund policy
             *     - `cancellation_policy`: the cancellation policy
             *     - `duplicate_charge_documentation`: proof that two payments are for different things
             *     - `other`: anything else
             * @enum {string}
             */
            kind: "receipt" | "customer_communication" | "customer_signature" | "shipping_documentation" | "service_documentation" | "refund_policy" | "cancellation_policy" | "duplicate_charge_documentation" | "other";
            /**
             * @description The type of the file; its bytes have to be of this type.
             * @enum {string}
             */
            contentType: "application/pdf" | "image/png" | "image/jpeg";
            /** @description The file in Base64; at most 2 MiB, and 4 MiB for all files of a dispute. */
            content: string;
        };
        /** @description What the bank statement says of a settlement. */
        ConfirmSettlementRequest: {
            /**
             * Format: int64
             * @description The amount on the bank statement, in the currency's minor unit.
             */
            amount: number;
            currency: components["schemas"]["Currency"];
            /**
             * Format: date
             * @description The value date on the bank statement.
             */
            valueDate: string;
            /**
             * @description The reference on the bank statement; null without one.
             * @default null
             */
            reference?: string | null;
        };
        /** @description Ends an exception, or opens it again. Money is never changed. */
        ResolveSettlementEntryRequest: {
            /**
             * @description How the exception ends; null opens it again.
             *
             *     - `accepted`: it is as it should be
             *     - `written_off`: the money is given up
             * @enum {string|null}
             */
            resolution: "accepted" | "written_off" | null;
            /**
             * @description A note about it; null or nothing for none.
             * @default null
             */
            note?: string | null;
        };
        /** @description The delivery of one event to one endpoint, with every attempt. */
        WebhookDelivery: {
            /** @description The unique id of the delivery, which begins with `whd_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_delivery";
            /** @description The id of the event (`evt_…`) that is delivered. */
            eventId: string;
            /** @description The id of the webhook endpoint (`whe_…`) that it is delivered to. */
            webhookEndpointId: string;
            /**
             * @description The state of the delivery.
             *
             *     - `pending`: it is under way, or waits for its next attempt
             *     - `delivered`: the endpoint answered with a 2xx status
             *     - `failed`: every attempt failed
             *     - `canceled`: it was given up; `reason` says why
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "canceled";
            /**
             * @description Why it ended without success, or what it waits for; null otherwise.
             *
             *     - `attempts_used_up`: every attempt failed
             *     - `endpoint_disabled`: the endpoint was disabled
             *     - `endpoint_deleted`: the endpoint was deleted
             *     - `event_not_kept`: the event was purged before it could be delivered
             *     - `earlier_event_pending`: an earlier event of the same payment has to be delivered first
             * @enum {string|null}
             */
            reason: "attempts_used_up" | "endpoint_disabled" | "endpoint_deleted" | "event_not_kept" | "earlier_event_pending" | null;
            /** @description Every request that was sent to the endpoint, oldest first. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /**
             * Format: date-time
             * @description The time of the next attempt; null if none is planned.
             */
            nextAttemptAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the delivery ended; null while it is pending.
             */
            finishedAt: string | null;
        };
        /** @description Which events to deliver again, and where. */
        RedeliverMissedEventsRequest: {
            /** @description The id of the endpoint (`whe_…`) to deliver to, which must be enabled. */
            webhookEndpointId: string;
            /**
             * Format: date-time
             * @description Redelivers events that happened at this time or later. ISO 8601 with a zone, such as `2026-11-28T06:00:00Z`.
             */
            since: string;
        };
        /** @description Where to deliver the event. */
        RedeliverEventRequest: {
            /** @description The id of the endpoint (`whe_…`) to deliver to. Left out: every enabled endpoint that subscribes to events of this type. */
            webhookEndpointId?: string;
        };
        /** @description A webhook endpoint to create. */
        CreateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
             */
            url: string;
            /**
             * @description A text of your own about the endpoint, up to 1,000 characters; null without one.
             * @default null
             */
            description?: string | null;
            /**
             * @description The types of the events that are sent to the endpoint, each once; `*` for every type.
             *
             *     - `*`: every type
             *     - `payment_intent.created`: a payment intent was created
             *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
             *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
             *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
             *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
             *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
             *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
             *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
             *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
             *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
             *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
             *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
             *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
             *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
             *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
             *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
             *     - `refund.succeeded`: the provider refunded the money
             *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
             *     - `transaction.created`: money moved or was held
             *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
             *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
             *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
             *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
             *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
             *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
             *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
             *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
             *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
             *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
             *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
             *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
             *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
             *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
             *     - `settlement.paid`: a provider says that it has paid a settlement
             *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
             *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
             *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
             *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
             *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
             *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
             * @default [
             *       "*"
             *     ]
             */
            enabledEvents?: components["schemas"]["SelectableEventType"][];
        };
        /** @description What to change. Members that are left out stay unchanged. */
        UpdateWebhookEndpointRequest: {
            /**
             * Format: uri
             * @description The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet.
             */
            url?: string;
            /** @description A text of your own about the endpoint, up to 1,000 characters; null without one. */
            description?: string | null;
            /**
             * @description The types of the events that are sent to the endpoint, each once; `*` for every type.
             *
             *     - `*`: every type
             *     - `payment_intent.created`: a payment intent was created
             *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
             *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
             *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
             *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
             *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
             *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
             *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
             *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
             *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
             *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
             *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
             *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
             *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
             *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
             *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
             *     - `refund.succeeded`: the provider refunded the money
             *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
             *     - `transaction.created`: money moved or was held
             *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
             *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
             *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
             *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
             *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
             *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
             *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
             *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
             *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
             *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
             *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
             *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
             *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
             *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
             *     - `settlement.paid`: a provider says that it has paid a settlement
             *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
             *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
             *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
             *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
             *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
             *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
             */
            enabledEvents?: components["schemas"]["SelectableEventType"][];
            /** @description Whether events are sent to the endpoint. Setting it to `true` enables an endpoint that was disabled. */
            active?: boolean;
        };
        /** @description How the secret is replaced. */
        RotateWebhookEndpointSecretRequest: {
            /**
             * Format: int64
             * @description For how many seconds webhooks are signed with both secrets; 0 to 604800 (7 days).
             * @default 86400
             */
            overlapSeconds?: number;
        };
        /** @description By how much the test clock is advanced. */
        AdvanceTestClockRequest: {
            /**
             * Format: int64
             * @description By how much older the open payments of the account become: `90`, or `604800` for 7 days.
             */
            seconds: number;
        };
        /** @description The envelope of a page of a list. */
        PaymentIntentPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["PaymentIntent"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What is to be paid, with its state and everything tried so far. */
        PaymentIntent: {
            /** @description The unique id of the payment intent, which begins with `pi_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_intent";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: int64
             * @description What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            /** @description The currency of all amounts of the payment, as its ISO 4217 code: `EUR`. */
            currency: string;
            /**
             * Format: int64
             * @description How much is held and can be captured, in the currency's minor unit.
             */
            amountCapturable: number;
            /**
             * Format: int64
             * @description How much was captured, in the currency's minor unit; refunds do not reduce it.
             */
            amountCaptured: number;
            /**
             * Format: int64
             * @description How much of the captured amount was refunded, in the currency's minor unit.
             */
            amountRefunded: number;
            /**
             * Format: int64
             * @description How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
             */
            amountDisputed: number;
            /**
             * @description The state of the payment.
             *
             *     - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
             *     - `processing`: a provider is being called, or the outcome is awaited
             *     - `requires_action`: the customer has to act, as `nextAction` says
             *     - `requires_capture`: the money is held; capture or cancel it
             *     - `succeeded`: the money was captured
             *     - `failed`: refused for good; create another payment intent to try again
             *     - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
             *     - `expired`: not paid before `expiresAt`
             * @enum {string}
             */
            status: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference: string | null;
            /** @description A text of your own about the payment, up to 1,000 characters; null without one. */
            description: string | null;
            /** @description The id of the customer (`cus_…`) who pays; null without one. */
            customerId: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored. */
            country: string | null;
            /**
             * @description When the money is taken.
             *
             *     - `automatic`: at once
             *     - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
             * @enum {string}
             */
            captureMethod: "automatic" | "manual";
            /** @description The payment method of the last confirm, masked; null before the first. */
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
             * @enum {string|null}
             */
            setupFutureUsage: "on_session" | "off_session" | null;
            /** @description Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example. */
            allowSavedPaymentMethods: boolean;
            /** @description The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none. */
            savedPaymentMethodId: string | null;
            /**
             * @description Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.
             *
             *     - `recurring`: by an agreed schedule, such as a subscription
             *     - `unscheduled`: when something falls due, such as a top-up
             * @enum {string|null}
             */
            offSession: "recurring" | "unscheduled" | null;
            /** @description What the customer has to do before the payment continues; null unless `status` is `requires_action`. */
            nextAction: components["schemas"]["NextAction"] | null;
            /** @description The provider of the last attempt; null before the first. */
            provider: string | null;
            /** @description Every route that was tried for the payment, over all its confirms, oldest first. */
            attempts: components["schemas"]["PaymentAttempt"][];
            /** @description Why the last confirm, capture or cancellation failed; null if it did not. */
            lastError: components["schemas"]["LastError"] | null;
            /** @description Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null. */
            lastDecline: components["schemas"]["LastDecline"] | null;
            /** @description A notice that the payment takes unusually long; null otherwise. It does not change the state. */
            advisory: components["schemas"]["Advisory"] | null;
            /**
             * @description Why the payment was canceled; null unless `status` is `canceled`.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: it was the same payment as another
             *     - `fraudulent`: it is suspected of fraud
             *     - `abandoned`: the customer left
             *     - `requested_by_operator`: the platform canceled it
             *     - `retries_exhausted`: every attempt that it may make was used up
             *     - `authorization_lapsed`: the money was held for too long without a capture, and is released
             * @enum {string|null}
             */
            cancellationReason: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned" | "requested_by_operator" | "retries_exhausted" | "authorization_lapsed" | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /** @description The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none. */
            disputeIds: string[];
            /**
             * Format: date-time
             * @description When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
             */
            disputedAt: string | null;
            /**
             * Format: date-time
             * @description Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
             */
            captureBefore: string | null;
            /**
             * Format: date-time
             * @description When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
        };
        /** @description Which page of a list this is, and how long the list is. */
        Pagination: {
            /**
             * Format: int64
             * @description The number of this page, from 1.
             */
            page: number;
            /**
             * Format: int64
             * @description How many elements a page has at most, from 1 to 100.
             */
            limit: number;
            /**
             * Format: int64
             * @description How many elements the list has in all.
             */
            total: number;
            /**
             * Format: int64
             * @description How many pages the list has in all.
             */
            totalPages: number;
            /** @description Present if the list is too long to count, so that `total` is an estimate. */
            totalIsEstimate?: boolean;
        };
        /** @description The envelope of a successful response. */
        CreatedPaymentIntentResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["CreatedPaymentIntent"];
        };
        /** @description A payment intent with its client secret. */
        CreatedPaymentIntent: {
            /** @description The unique id of the payment intent, which begins with `pi_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_intent";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: int64
             * @description What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            /** @description The currency of all amounts of the payment, as its ISO 4217 code: `EUR`. */
            currency: string;
            /**
             * Format: int64
             * @description How much is held and can be captured, in the currency's minor unit.
             */
            amountCapturable: number;
            /**
             * Format: int64
             * @description How much was captured, in the currency's minor unit; refunds do not reduce it.
             */
            amountCaptured: number;
            /**
             * Format: int64
             * @description How much of the captured amount was refunded, in the currency's minor unit.
             */
            amountRefunded: number;
            /**
             * Format: int64
             * @description How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
             */
            amountDisputed: number;
            /**
             * @description The state of the payment.
             *
             *     - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
             *     - `processing`: a provider is being called, or the outcome is awaited
             *     - `requires_action`: the customer has to act, as `nextAction` says
             *     - `requires_capture`: the money is held; capture or cancel it
             *     - `succeeded`: the money was captured
             *     - `failed`: refused for good; create another payment intent to try again
             *     - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
             *     - `expired`: not paid before `expiresAt`
             * @enum {string}
             */
            status: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference: string | null;
            /** @description A text of your own about the payment, up to 1,000 characters; null without one. */
            description: string | null;
            /** @description The id of the customer (`cus_…`) who pays; null without one. */
            customerId: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored. */
            country: string | null;
            /**
             * @description When the money is taken.
             *
             *     - `automatic`: at once
             *     - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
             * @enum {string}
             */
            captureMethod: "automatic" | "manual";
            /** @description The payment method of the last confirm, masked; null before the first. */
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
             * @enum {string|null}
             */
            setupFutureUsage: "on_session" | "off_session" | null;
            /** @description Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example. */
            allowSavedPaymentMethods: boolean;
            /** @description The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none. */
            savedPaymentMethodId: string | null;
            /**
             * @description Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.
             *
             *     - `recurring`: by an agreed schedule, such as a subscription
             *     - `unscheduled`: when something falls due, such as a top-up
             * @enum {string|null}
             */
            offSession: "recurring" | "unscheduled" | null;
            /** @description What the customer has to do before the payment continues; null unless `status` is `requires_action`. */
            nextAction: components["schemas"]["NextAction"] | null;
            /** @description The provider of the last attempt; null before the first. */
            provider: string | null;
            /** @description Every route that was tried for the payment, over all its confirms, oldest first. */
            attempts: components["schemas"]["PaymentAttempt"][];
            /** @description Why the last confirm, capture or cancellation failed; null if it did not. */
            lastError: components["schemas"]["LastError"] | null;
            /** @description Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null. */
            lastDecline: components["schemas"]["LastDecline"] | null;
            /** @description A notice that the payment takes unusually long; null otherwise. It does not change the state. */
            advisory: components["schemas"]["Advisory"] | null;
            /**
             * @description Why the payment was canceled; null unless `status` is `canceled`.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: it was the same payment as another
             *     - `fraudulent`: it is suspected of fraud
             *     - `abandoned`: the customer left
             *     - `requested_by_operator`: the platform canceled it
             *     - `retries_exhausted`: every attempt that it may make was used up
             *     - `authorization_lapsed`: the money was held for too long without a capture, and is released
             * @enum {string|null}
             */
            cancellationReason: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned" | "requested_by_operator" | "retries_exhausted" | "authorization_lapsed" | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /** @description The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none. */
            disputeIds: string[];
            /**
             * Format: date-time
             * @description When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
             */
            disputedAt: string | null;
            /**
             * Format: date-time
             * @description Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
             */
            captureBefore: string | null;
            /**
             * Format: date-time
             * @description When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
            /** @description The secret for the checkout page of this payment, which may read, confirm and follow it. Do not log or store it. */
            clientSecret: string;
        };
        /** @description The envelope of a successful response. */
        PaymentIntentResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["PaymentIntent"];
        };
        /** @description The envelope of a successful response. */
        StoredPaymentMethodResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["StoredPaymentMethod"];
        };
        /** @description A payment method that is stored for one payment intent. */
        StoredPaymentMethod: {
            /** @description The unique id of the payment method, which begins with `pm_`. A confirm takes it as `paymentMethodId`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_method";
            /** @description The id of the payment intent (`pi_…`) that it is stored for; no other takes it. */
            paymentIntentId: string;
            paymentMethod: components["schemas"]["MaskedPaymentMethod"];
        };
        /** @description The envelope of a successful response. */
        UsableSavedPaymentMethodListResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description All of them; the list has one page. */
            data: components["schemas"]["UsableSavedPaymentMethod"][];
        };
        /** @description A saved card with which a payment's customer can pay. */
        UsableSavedPaymentMethod: {
            /** @description The unique id of the saved payment method (`spm_…`). A confirm takes it as `paymentMethodId`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "usable_saved_payment_method";
            paymentMethod: components["schemas"]["MaskedCard"];
            /** @description Whether it is the customer's preferred one; at most one of them is. */
            isDefault: boolean;
        };
        /** @description The envelope of a successful response. */
        TimelineLineListResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description All of them; the list has one page. */
            data: components["schemas"]["TimelineLine"][];
        };
        /** @description One entry of a payment's timeline. */
        TimelineLine: {
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC.
             */
            at: string;
            /**
             * @description What kind of entry it is. More kinds may be added.
             *
             *     - `created`: the payment intent was created
             *     - `updated`: the payment intent was updated
             *     - `request`: a confirm, capture or cancellation was requested
             *     - `decision`: the engine chose routes, or decided what an outcome means
             *     - `attempt`: a provider was called, or answered
             *     - `inquiry`: a provider was asked what became of an attempt
             *     - `provider_event`: a provider reported something by webhook
             *     - `timer`: a time limit was reached
             *     - `event`: an event was published
             *     - `left_out`: the timeline is longer than 1,000 lines: earlier lines are left out here
             */
            kind: string;
            /** @description What happened, in one sentence for people. */
            summary: string;
            /** @description The data of the entry; the members depend on its kind. Null if there are none. */
            details: {
                [key: string]: unknown;
            } | null;
        };
        /** @description The envelope of a successful response. */
        ProviderAnswerResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ProviderAnswer"];
        };
        /** @description The envelope of a successful response. */
        ManualResolutionResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ManualResolution"];
        };
        /** @description The envelope of a page of a list. */
        PaymentLinkPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["PaymentLink"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        PaymentLinkResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["PaymentLink"];
        };
        /** @description The envelope of a page of a list. */
        CustomerPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Customer"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        CustomerResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Customer"];
        };
        /** @description The envelope of a successful response. */
        DeletedCustomerResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedCustomer"];
        };
        /** @description The envelope of a page of a list. */
        SavedPaymentMethodPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["SavedPaymentMethod"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description A card that is kept for a customer. */
        SavedPaymentMethod: {
            /** @description The unique id of the saved payment method, which begins with `spm_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "saved_payment_method";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the customer (`cus_…`) whose card it is. */
            customerId: string;
            /**
             * @description Whether it can be used.
             *
             *     - `active`: it can be used
             *     - `invalid`: it cannot be charged any more, unless the customer saves the card again
             *     - `detached`: it was removed, and its card number erased; this is final
             * @enum {string}
             */
            status: "active" | "invalid" | "detached";
            /**
             * @description Why it is invalid or detached; null while it is active.
             *
             *     - `issuer_refused`: its issuer has refused a payment without the customer for good
             *     - `token_disabled`: no provider has a token for it any more, and its number is not stored
             *     - `unused`: it was not used for a long time
             *     - `card_expired`: the card expired months ago
             *     - `customer_deleted`: the customer was deleted
             *     - `requested`: it was removed by a request
             * @enum {string|null}
             */
            statusReason: "issuer_refused" | "token_disabled" | "unused" | "card_expired" | "customer_deleted" | "requested" | null;
            paymentMethod: components["schemas"]["MaskedCard"];
            /**
             * @description What the customer has agreed to.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer
             * @enum {string}
             */
            usage: "on_session" | "off_session";
            /** @description When, from where and to what the customer agreed; null where that was not recorded. */
            consent: {
                /** @description When the customer agreed; ISO 8601 in UTC. */
                acceptedAt: string;
                /** @description The IP address from which the customer agreed; null if it is not known. */
                ipAddress: string | null;
                /** @description The customer's browser, as it names itself, up to 512 characters; null if it is not known. */
                userAgent: string | null;
                /** @description The text that the customer agreed to, up to 500 characters; null if it is not kept. */
                text: string | null;
            } | null;
            /** @description The payment intent (`pi_…`) with which the customer agreed; null of an imported one. */
            initialPaymentIntentId: string | null;
            /** @description Whether the id is known by which card networks recognise the agreement. */
            hasNetworkTransactionId: boolean;
            /** @description By what it can be charged, and where. */
            credentials: {
                /** @description The provider that has the token; null for the card itself, which any provider can charge. */
                provider: string | null;
                /**
                 * @description What it is.
                 *
                 *     - `card`: the card number, stored by this engine
                 *     - `provider_token`: the provider's own token, which stands for the card there
                 * @enum {string}
                 */
                kind: "card" | "provider_token";
                /**
                 * @description Whether it can be used.
                 *
                 *     - `pending`: the provider is being asked for its token
                 *     - `active`: it can be used
                 *     - `disabled`: the provider has issued none
                 * @enum {string}
                 */
                status: "pending" | "active" | "disabled";
            }[];
            /** @description Whether it is the customer's preferred one; at most one of them is. */
            isDefault: boolean;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was last saved or charged; ISO 8601 in UTC.
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description The envelope of a successful response. */
        SavedPaymentMethodResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["SavedPaymentMethod"];
        };
        /** @description The envelope of a page of a list. */
        MerchantAccountPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["MerchantAccount"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        MerchantAccountResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["MerchantAccount"];
        };
        /** @description The envelope of a page of a list. */
        ApiKeyPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["ApiKey"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        IssuedApiKeyResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["IssuedApiKey"];
        };
        /** @description A new API key with its secrets, which no other response has. */
        IssuedApiKey: {
            /** @description The unique id of the API key, which begins with `key_`. It is not a secret. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "api_key";
            /** @description The merchant account (`mer_…`) that the key belongs to, and acts for unless `X-Merchant-ID` names another. */
            merchantId: string;
            /**
             * @description The environment that the key works in: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description A name for people, such as what uses the key; 1 to 255 characters. */
            name: string;
            /** @description The first characters of the key, by which it can be recognised in a configuration. */
            prefix: string;
            /**
             * @description Whether the key can be used.
             *
             *     - `active`: it can
             *     - `expired`: `expiresAt` is past
             *     - `revoked`: it was revoked; nothing makes it valid again
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /** @description What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds. */
            scopes: string[];
            /** @description Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them. */
            ipRestricted: boolean;
            /** @description IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100. */
            ipAllowlist: string[];
            /** @description Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other. */
            accountBound: boolean;
            /**
             * Format: int64
             * @description The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
             */
            signatureVersion: number;
            /**
             * Format: date-time
             * @description When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it was not.
             */
            revokedAt: string | null;
            /** @description The id of the key that replaced this one in a rotation; null if it was not rotated. */
            replacedBy: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When the last request was signed with the key, written once a minute at most; null if none was. Requests that were refused count.
             */
            lastUsedAt: string | null;
            /** @description The IP address of that request. */
            lastUsedFrom: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The key itself, `svc_test_…` or `svc_live_…`: a secret that no other response has. See `notice` where it is null. */
            apiKey: string | null;
            /** @description The secret that signs requests. No other response has it. See `notice` where it is null. */
            secretSalt: string | null;
            /** @description Why the secret is null: present only in a repeat by another API key, which does not get it. */
            notice?: string;
        };
        /** @description The envelope of a successful response. */
        ApiKeyResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ApiKey"];
        };
        /** @description The envelope of a page of a list. */
        CreatedResourcePage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["CreatedResource"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a page of a list. */
        ProviderAccountPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["ProviderAccount"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        ProviderAccountResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ProviderAccount"];
        };
        /** @description The envelope of a successful response. */
        ProviderKindsResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ProviderKinds"];
        };
        /** @description The envelope of a successful response. */
        DeletedProviderAccountResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedProviderAccount"];
        };
        /** @description The envelope of a successful response. */
        ProviderAccountTestResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ProviderAccountTest"];
        };
        /** @description The envelope of a page of a list. */
        PaymentRoutePage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["PaymentRoute"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        PaymentRouteResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["PaymentRoute"];
        };
        /** @description The envelope of a successful response. */
        PaymentRouteSimulationResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["PaymentRouteSimulation"];
        };
        /** @description The envelope of a successful response. */
        DeletedPaymentRouteResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedPaymentRoute"];
        };
        /** @description The envelope of a page of a list. */
        CardGroupPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["CardGroup"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        CardGroupResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["CardGroup"];
        };
        /** @description The envelope of a successful response. */
        DeletedCardGroupResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedCardGroup"];
        };
        /** @description The envelope of a page of a list. */
        RouteSetPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["RouteSet"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        CreateRouteSetResultResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["CreateRouteSetResult"];
        };
        /** @description The envelope of a successful response. */
        RouteBackTestResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["RouteBackTest"];
        };
        /** @description The envelope of a successful response. */
        RoutingSettingResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["RoutingSetting"];
        };
        /** @description The envelope of a page of a list. */
        ChannelLimitPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["ChannelLimit"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        ChannelLimitResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ChannelLimit"];
        };
        /** @description The envelope of a successful response. */
        DeletedChannelLimitResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedChannelLimit"];
        };
        /** @description The envelope of a page of a list. */
        RefundPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Refund"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        RefundResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Refund"];
        };
        /** @description The envelope of a page of a list. */
        DisputePage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Dispute"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        DisputeResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Dispute"];
        };
        /** @description The envelope of a page of a list. */
        SettlementPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Settlement"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        SettlementResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Settlement"];
        };
        /** @description The envelope of a page of a list. */
        SettlementEntryPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["SettlementEntry"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        SettlementEntryResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["SettlementEntry"];
        };
        /** @description The envelope of a page of a list. */
        TransactionPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Transaction"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        TransactionResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Transaction"];
        };
        /** @description The envelope of a page of a list. */
        EventPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Event"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description What happened to a resource, and the resource as it was then. `type` tells which. */
        Event: components["schemas"]["PaymentIntentEvent"] | components["schemas"]["RefundEvent"] | components["schemas"]["TransactionEvent"] | components["schemas"]["DisputeEvent"] | components["schemas"]["PaymentMethodEvent"] | components["schemas"]["ProviderAccountEvent"] | components["schemas"]["ReconciliationEvent"] | components["schemas"]["SettlementEvent"] | components["schemas"]["CardTestingEvent"] | components["schemas"]["WebhookEndpointEvent"];
        /** @description What happened to a resource, and the resource as it was then. */
        PaymentIntentEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `payment_intent.created`: a payment intent was created
             *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
             *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
             *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
             *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
             *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
             *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
             *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
             *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
             *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
             *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
             *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
             *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
             *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.amount_captured_changed" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.waiting_for_provider" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.refunded" | "payment_intent.stray_charge_reversed" | "payment_intent.fraud_warning";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["PaymentIntent"];
            /** @description Why the payment failed. Present only with `payment_intent.payment_failed`: the `lastError` of a payment intent does not have the refusal of a confirm for which no provider was asked. */
            failure?: {
                /** @description The error code, one of `ErrorCode`. */
                code: string;
                /** @description A message for people, in English. */
                message: string;
                /** @description What else is known of the error; the members depend on the code. A decline has `advice` (see `PaymentAttempt`), `networkCode` and `retryAfter` (ISO 8601 in UTC) where they are known. Pages get no `networkCode`, and no details after the advice `never`. */
                details?: {
                    [key: string]: unknown;
                };
            };
            /** @description The charge that was returned. Present only with `payment_intent.stray_charge_reversed`. */
            strayCharge?: {
                /** @description The attempt that was charged; it is among the payment intent's `attempts`. */
                attemptId: string;
                /** @description The provider that charged it. */
                provider: string;
                /**
                 * Format: int64
                 * @description The amount that the provider had authorized or captured, in the currency's minor unit.
                 */
                amount: number;
                /** @description The currency of the amount, as its ISO 4217 code. */
                currency: string;
                /**
                 * @description How the money was returned.
                 *
                 *     - `void`: it was held only, and was released
                 *     - `refund`: it was captured, and was refunded
                 *     - `hand`: somebody returned it in another way, which support staff have recorded
                 * @enum {string}
                 */
                reversedBy: "void" | "refund" | "hand";
            };
            /** @description The warning of the card's issuer. Present only with `payment_intent.fraud_warning`. */
            fraudWarning?: {
                /** @description The attempt that paid; it is among the payment intent's `attempts`. */
                attemptId: string;
                /** @description The provider that reports it. */
                provider: string;
                /** @description The provider's own name of its event: `NOTIFICATION_OF_FRAUD`. */
                providerEvent: string;
                /** @description The provider's own id of the warning, to look it up there. */
                providerReference: string;
            };
        };
        /** @description What happened to a resource, and the resource as it was then. */
        RefundEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
             *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
             *     - `refund.succeeded`: the provider refunded the money
             *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "refund.created" | "refund.waiting_for_provider" | "refund.succeeded" | "refund.failed";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["Refund"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        TransactionEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `transaction.created`: money moved or was held (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "transaction.created";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["Transaction"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        DisputeEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
             *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
             *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
             *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
             *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
             *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "dispute.created" | "dispute.updated" | "dispute.response_due" | "dispute.funds_withdrawn" | "dispute.funds_reinstated" | "dispute.closed";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["Dispute"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        PaymentMethodEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
             *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
             *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
             *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "payment_method.saved" | "payment_method.updated" | "payment_method.invalidated" | "payment_method.detached";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["SavedPaymentMethod"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        ProviderAccountEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
             *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "provider_account.credentials_refused" | "provider_account.credentials_accepted";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["ProviderAccount"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        ReconciliationEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "reconciliation.difference_found";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["ReconciliationDifference"];
        };
        /** @description A difference between a provider's list of payments and the engine's. */
        ReconciliationDifference: {
            /** @description The unique id of the difference, which begins with `rec_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "reconciliation_difference";
            /** @description The id of the run that found it. */
            reconciliationRunId: string;
            /** @description The name of the provider. */
            provider: string;
            /**
             * @description What differs.
             *
             *     - `outcome_not_recorded`: the provider holds or captured the money, and the payment was still open; the payment learns it
             *     - `stray_charge`: the provider charged an attempt that had ended without a charge; the money is returned
             *     - `capture_not_recorded`: the provider captured what was only held here; the payment learns it
             *     - `hold_ended`: the provider holds nothing any more of what was held here; the payment learns it
             *     - `refund_outcome_not_recorded`: a refund has ended at the provider and was pending here, or has failed there after it had succeeded; the refund learns it
             *     - `amount_differs`: the amounts differ
             *     - `currency_differs`: the currencies differ
             *     - `status_differs`: the payment is in another state than at the provider
             *     - `refund_differs`: amount, currency or status of a refund differ
             *     - `unknown_payment`: the provider charged a payment that the engine does not know
             *     - `unknown_refund`: the provider refunded what the engine does not know
             *     - `missing_payment`: the provider does not list a payment that was charged here
             *     - `missing_refund`: the provider does not list a refund that succeeded here
             * @enum {string}
             */
            kind: "outcome_not_recorded" | "stray_charge" | "capture_not_recorded" | "hold_ended" | "refund_outcome_not_recorded" | "amount_differs" | "currency_differs" | "status_differs" | "refund_differs" | "unknown_payment" | "unknown_refund" | "missing_payment" | "missing_refund";
            /**
             * @description What was done.
             *
             *     - `repaired`: the payment or refund got the provider's outcome as by a webhook, and goes on by itself
             *     - `reported`: nothing was changed; somebody has to look at it
             * @enum {string}
             */
            action: "repaired" | "reported";
            /** @description The id of the payment intent; null where there is none. */
            paymentIntentId: string | null;
            /** @description The attempt; it is among the payment intent's `attempts`. Null where there is none. */
            attemptId: string | null;
            /** @description The id of the refund; null where it is about none, or about one that the engine does not know. */
            refundId: string | null;
            /** @description The provider's id of the payment; null where none is known. */
            providerPaymentId: string | null;
            /** @description The payment or refund as the engine has it; null where it has none. */
            ours: {
                /** @description The state. Of a payment here: `open`, `uncharged`, `held`, `captured` or `voided`; at the provider: `open`, `declined`, `failed`, `held`, `captured` or `voided`. Of a refund: `pending`, `succeeded` or `failed`. */
                status: string;
                /**
                 * Format: int64
                 * @description The amount, in the currency's minor unit.
                 */
                amount: number;
                /**
                 * Format: int64
                 * @description What was captured of it, in the currency's minor unit; null for a refund.
                 */
                capturedAmount: number | null;
                /** @description The currency of the amounts, as its ISO 4217 code. */
                currency: string;
            } | null;
            /** @description The payment or refund as the provider lists it; null where it lists none. */
            theirs: {
                /** @description The state. Of a payment here: `open`, `uncharged`, `held`, `captured` or `voided`; at the provider: `open`, `declined`, `failed`, `held`, `captured` or `voided`. Of a refund: `pending`, `succeeded` or `failed`. */
                status: string;
                /**
                 * Format: int64
                 * @description The amount, in the currency's minor unit.
                 */
                amount: number;
                /**
                 * Format: int64
                 * @description What was captured of it, in the currency's minor unit; null for a refund.
                 */
                capturedAmount: number | null;
                /** @description The currency of the amounts, as its ISO 4217 code. */
                currency: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was found; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description What happened to a resource, and the resource as it was then. */
        SettlementEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
             *     - `settlement.paid`: a provider says that it has paid a settlement
             *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
             *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "settlement.created" | "settlement.paid" | "settlement.failed" | "settlement.difference_found";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            /** @description The settlement; with `settlement.difference_found` the entry. */
            data: components["schemas"]["Settlement"] | components["schemas"]["SettlementEntry"];
        };
        /** @description What happened to a resource, and the resource as it was then. */
        CardTestingEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "card_testing.suspected";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["CardTesting"];
        };
        /** @description So many declines that somebody may be testing stolen cards. */
        CardTesting: {
            /** @description The id of the event that reports it. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "card_testing";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * @description The limit that was exceeded.
             *
             *     - `bin`: that of cards whose numbers begin with the same 8 digits, in this account
             *     - `account`: that of all cards, in this account
             * @enum {string}
             */
            limit: "bin" | "account";
            /**
             * Format: int64
             * @description How many confirms were declined, or are under way, in the hour.
             */
            declines: number;
            /**
             * Format: int64
             * @description How many confirms there were in the hour.
             */
            confirms: number;
            /**
             * Format: int64
             * @description How many declines an hour the limit allows.
             */
            limitPerHour: number;
        };
        /** @description What happened to a resource, and the resource as it was then. */
        WebhookEndpointEvent: {
            /** @description The unique id of the event, which begins with `evt_`. A webhook may come twice: the id tells that it is the same event. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "event";
            /**
             * @description What happened.
             *
             *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
             *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
             *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
             *     - `webhook_endpoint.test`: a test that was requested; it goes to its endpoint only, whatever that subscribes to (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "webhook_endpoint.failing" | "webhook_endpoint.recovered" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
            /**
             * Format: date-time
             * @description When it happened; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * Format: int64
             * @description The number of the event within its merchant account: from 1, without gaps, in the order of publication.
             */
            sequence: number;
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The envelope of a successful response. */
        EventResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Event"];
        };
        /** @description The envelope of a page of a list. */
        WebhookDeliveryPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["WebhookDelivery"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        WebhookMissedRedeliveryResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookMissedRedelivery"];
        };
        /** @description The envelope of a successful response. */
        WebhookRedeliveryResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookRedelivery"];
        };
        /** @description The envelope of a page of a list. */
        AuditEventPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["AuditEvent"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        AuditEventResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["AuditEvent"];
        };
        /** @description The envelope of a page of a list. */
        RequestPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["Request"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        RequestResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Request"];
        };
        /** @description The envelope of a page of a list. */
        ProviderHealthPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["ProviderHealth"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        ProviderHealthResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ProviderHealth"];
        };
        /** @description The envelope of a successful response. */
        StatisticsResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Statistics"];
        };
        /** @description The envelope of a successful response. */
        DisputeStatisticsResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DisputeStatistics"];
        };
        /** @description The envelope of a page of a list. */
        ReconciliationRunPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["ReconciliationRun"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        ReconciliationReportResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["ReconciliationReport"];
        };
        /** @description A comparison of a provider's list of payments with those of the merchant account, and what differs. */
        ReconciliationReport: {
            /** @description The unique id of the run, which begins with `rec_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "reconciliation_run";
            /** @description The id of the merchant account (`mer_…`) whose payments are counted. */
            merchantId: string;
            /**
             * @description The environment of the merchant account: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The name of the provider. */
            provider: string;
            /**
             * @description How far the run is.
             *
             *     - `running`: payments are being compared
             *     - `completed`: all payments were compared
             *     - `failed`: the provider could not be asked to the end, and `failure` says why; the next run covers the rest
             * @enum {string}
             */
            status: "running" | "completed" | "failed";
            /** @description Why the run failed; null unless `status` is `failed`. */
            failure: {
                /**
                 * @description What made it fail.
                 *
                 *     - `TSP_UNAVAILABLE`: The provider could not be reached for an hour, or refused to answer. Test the credentials of an account of your own. The next run covers these payments too.
                 *     - `TSP_TIMEOUT`: For an hour the provider did not answer in time. The next run covers these payments too.
                 *     - `TSP_ERROR`: For an hour the provider answered with errors, or with what the engine cannot read. The next run covers these payments too.
                 *     - `CANNOT_LIST`: The provider was disabled or removed during the run, or can no longer be asked for payments. Compare with its own reports.
                 *     - `INTERRUPTED`: The run was ended before it had compared everything. The next run covers these payments too.
                 *     - `INTERNAL_ERROR`: The engine could not compare these payments. The next run covers them too; if it fails as well, tell support the id of the run.
                 * @enum {string}
                 */
                code: "TSP_UNAVAILABLE" | "TSP_TIMEOUT" | "TSP_ERROR" | "CANNOT_LIST" | "INTERRUPTED" | "INTERNAL_ERROR";
                /** @description The same as a sentence that says what to do. */
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description Payments that were created or changed from this time on are compared; ISO 8601 in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description Payments that were created or changed up to this time are compared; ISO 8601 in UTC.
             */
            to: string;
            /**
             * Format: int64
             * @description How many of the merchant account's payments were compared.
             */
            compared: number;
            /**
             * Format: int64
             * @description How many differences about them were repaired.
             */
            repaired: number;
            /**
             * Format: int64
             * @description How many differences about them were reported only.
             */
            reported: number;
            /**
             * Format: date-time
             * @description When it started; ISO 8601 in UTC, with milliseconds.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended; ISO 8601 in UTC, with milliseconds. Null while it is running.
             */
            finishedAt: string | null;
            /** @description The differences about the merchant account's payments, in the order in which they were found; at most 1,000 of a run are kept. */
            differences: components["schemas"]["ReconciliationDifference"][];
        };
        /** @description The envelope of a page of a list. */
        WebhookEndpointPage: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            /** @description The elements of the page. */
            data: components["schemas"]["WebhookEndpoint"][];
            pagination: components["schemas"]["Pagination"];
        };
        /** @description The envelope of a successful response. */
        WebhookEndpointWithSecretResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookEndpointWithSecret"];
        };
        /** @description A webhook endpoint with its secret, which no other response has. */
        WebhookEndpointWithSecret: {
            /** @description The unique id of the webhook endpoint, which begins with `whe_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet. */
            url: string;
            /** @description A text of your own about the endpoint, up to 1,000 characters; null without one. */
            description: string | null;
            /**
             * @description The types of the events that are sent to the endpoint, each once; `*` for every type.
             *
             *     - `*`: every type
             *     - `payment_intent.created`: a payment intent was created
             *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
             *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
             *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
             *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
             *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
             *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
             *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
             *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
             *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
             *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
             *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
             *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
             *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
             *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
             *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
             *     - `refund.succeeded`: the provider refunded the money
             *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
             *     - `transaction.created`: money moved or was held
             *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
             *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
             *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
             *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
             *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
             *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
             *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
             *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
             *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
             *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
             *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
             *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
             *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
             *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
             *     - `settlement.paid`: a provider says that it has paid a settlement
             *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
             *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
             *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
             *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
             *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
             *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
             */
            enabledEvents: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.amount_captured_changed" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.waiting_for_provider" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.refunded" | "payment_intent.stray_charge_reversed" | "payment_intent.fraud_warning" | "refund.created" | "refund.waiting_for_provider" | "refund.succeeded" | "refund.failed" | "transaction.created" | "payment_method.saved" | "payment_method.updated" | "payment_method.invalidated" | "payment_method.detached" | "dispute.created" | "dispute.updated" | "dispute.response_due" | "dispute.funds_withdrawn" | "dispute.funds_reinstated" | "dispute.closed" | "provider_account.credentials_refused" | "provider_account.credentials_accepted" | "reconciliation.difference_found" | "settlement.created" | "settlement.paid" | "settlement.failed" | "settlement.difference_found" | "card_testing.suspected" | "webhook_endpoint.failing" | "webhook_endpoint.recovered" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
            /**
             * @description Whether events are sent to the endpoint.
             *
             *     - `enabled`: they are
             *     - `disabled`: they are not; `disabledReason` says why
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /**
             * @description Why it is disabled; null while it is enabled.
             *
             *     - `by_merchant`: a request disabled it
             *     - `gone`: it answered with status 410
             *     - `failing`: every attempt failed for five days
             * @enum {string|null}
             */
            disabledReason: "by_merchant" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is enabled.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed, if so many have that the endpoint counts as failing; null otherwise. Its events then wait, and one of them is sent now and then as a probe.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the next probe of a failing endpoint is made, at the earliest; null unless it counts as failing.
             */
            nextProbeAt: string | null;
            /**
             * Format: int64
             * @description How many deliveries to the endpoint have not ended, at most 10,000; null in events and in the audit log.
             */
            pendingDeliveries: number | null;
            /**
             * Format: date-time
             * @description Since when the oldest of these has waited; null if there is none.
             */
            oldestPendingAt: string | null;
            /** @description The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 of a status. Null in events and in the audit log. */
            recentDeliveries: {
                /**
                 * Format: int64
                 * @description How many deliveries began.
                 */
                total: number;
                /**
                 * Format: int64
                 * @description How many of them were delivered.
                 */
                delivered: number;
            } | null;
            /**
             * Format: date-time
             * @description When an event was last delivered; null if none was.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null if none did.
             */
            lastFailureAt: string | null;
            /** @description A short description of the last failure, such as `status 500` or `timeout`; null if there was none. */
            lastFailure: string | null;
            /**
             * Format: date-time
             * @description Until when webhooks are signed with an earlier secret too, after rotations: each signs until its own overlap ends, this is the last end. Null if none signs.
             */
            previousSecretExpiresAt: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The secret that signs webhooks, `whsec_…`, as Standard Webhooks has it. No other response has it. See `notice` where it is null. */
            secret: string | null;
            /** @description Why the secret is null: present only in a repeat by another API key, which does not get it. */
            notice?: string;
        };
        /** @description The envelope of a successful response. */
        WebhookEndpointResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookEndpoint"];
        };
        /** @description The envelope of a successful response. */
        DeletedWebhookEndpointResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["DeletedWebhookEndpoint"];
        };
        /** @description The envelope of a successful response. */
        WebhookTestResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookTest"];
        };
        /** @description The envelope of a successful response. */
        TestClockResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["TestClock"];
        };
        /** @description The envelope of a successful response. */
        HealthResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Health"];
        };
        /** @description The process is up. */
        Health: {
            /**
             * @description Always `ok`: with anything else the response is an error.
             * @constant
             */
            status: "ok";
        };
        /** @description The envelope of a successful response. */
        ReadinessResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["Readiness"];
        };
        /** @description The process and what it depends on are up. */
        Readiness: {
            /**
             * @description Always `ok`: with anything else the response is an error.
             * @constant
             */
            status: "ok";
            /**
             * @description Always `ok`: PostgreSQL answers.
             * @constant
             */
            database: "ok";
            /**
             * @description Always `ok`: Temporal answers.
             * @constant
             */
            temporal: "ok";
        };
        /** @description The envelope of a successful response. */
        WebhookReceiptResponse: {
            /** @description Always true: the request was carried out. */
            success: boolean;
            data: components["schemas"]["WebhookReceipt"];
        };
        /** @description The confirmation that a webhook was received. */
        WebhookReceipt: {
            /** @description Always true: the event is stored, or it was stored before, or it concerns no payment of this engine. */
            received: boolean;
        };
        /** @description What a provider answered. */
        ProviderAnswer: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_answer";
            /** @description What the provider said, for people, in English. It counts as the provider's report. */
            answer: string;
        };
        /** @description What has become of a manual resolution. */
        ManualResolution: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "manual_resolution";
            /**
             * @description Whether it has taken effect.
             *
             *     - `requested`: you are the first; it takes effect when another person sends the same
             *     - `resolved`: you are the second person; it has taken effect
             * @enum {string}
             */
            status: "requested" | "resolved";
            /** @description The same for people, in English. */
            answer: string;
        };
        /** @description An address at which customers pay an amount, on a page of the engine. */
        PaymentLink: {
            /** @description The unique id of the payment link, which begins with `plink_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_link";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The address of the payment page, for customers. Whoever has it can pay, and can read amount, description and reference. Null where the operator has set no public address of the API (`API_PUBLIC_URL`). */
            url: string | null;
            /**
             * Format: int64
             * @description What each payment is for, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            /** @description The currency of the amount, as its ISO 4217 code: `EUR`. */
            currency: string;
            /** @description What is paid for, up to 500 characters; customers read it. Null without one. */
            description: string | null;
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. Payments of the link get it too. */
            reference: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. Payments of the link get it too. */
            metadata: {
                [key: string]: string;
            };
            /** @description Whether customers can pay. Set it to `false` to deactivate the link, and to `true` to activate it again. */
            active: boolean;
            /**
             * @description Whether the link can be paid.
             *
             *     - `active`: it can
             *     - `inactive`: it was deactivated
             *     - `expired`: `expiresAt` is over
             *     - `used_up`: as many payments have succeeded as `maxPayments` allows
             * @enum {string}
             */
            status: "active" | "inactive" | "expired" | "used_up";
            /** @description The id of the customer (`cus_…`) whose payments these are; null without one. Payments of the link get it too. */
            customerId: string | null;
            /**
             * @description What the page offers to save the card for; the customer decides by a box that is empty at first. Null to offer nothing. It needs `customerId`.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer
             * @enum {string|null}
             */
            setupFutureUsage: "on_session" | "off_session" | null;
            /** @description Whether the page shows the saved cards of `customerId`, masked, and takes them. Send true only if nobody but this customer gets the address. */
            allowSavedPaymentMethods: boolean;
            /**
             * Format: int64
             * @description How many payments of the link may succeed; 1 makes a link that can be paid once. Null for any number. Payments that are refunded later count too.
             */
            maxPayments: number | null;
            /**
             * Format: int64
             * @description How many payments of the link have succeeded.
             */
            paidPayments: number;
            /**
             * Format: int64
             * @description How many payments customers have confirmed that have not ended, such as those in 3-D Secure.
             */
            openPayments: number;
            /**
             * Format: date-time
             * @description Until when payments can begin; ISO 8601 with a zone, within ten years. Null for no end. A payment that has begun can be completed within 30 minutes.
             */
            expiresAt: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description A customer who pays. */
        Customer: {
            /** @description The unique id of the customer, which begins with `cus_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "customer";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference: string | null;
            /** @description The customer's full name, up to 255 characters; null if it is not known. */
            name: string | null;
            /** @description The customer's e-mail address, up to 254 characters of any script (RFC 6531); null if it is not known. */
            email: string | null;
            /** @description The customer's telephone number, up to 32 digits, spaces and separators, such as `+49 30 901820`; null if it is not known. */
            phone: string | null;
            /** @description A note of your own about the customer, up to 1,000 characters; null without one. */
            description: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`; null if it is not known. It selects payment routes for payments that have no country of their own. */
            country: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description The confirmation that it is deleted. */
        DeletedCustomer: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "customer";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description An account of the merchant, such as one of its shops. */
        MerchantAccount: {
            /** @description The unique id of the merchant account, which begins with `mer_`; `X-Merchant-ID` takes it. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "merchant_account";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description A name for the people of the merchant, such as that of a shop; 1 to 255 characters. Customers do not read it. */
            name: string;
            /**
             * @description Whether requests for the account are accepted.
             *
             *     - `active`: they are
             *     - `suspended`: they are refused with `MERCHANT_SUSPENDED`; payments under way continue
             * @enum {string}
             */
            status: "active" | "suspended";
            /**
             * @description Who suspended the account: `merchant` for a request with an API key, `platform` for the operator of the platform, who alone can activate it again. Null while it is active.
             * @enum {string|null}
             */
            suspendedBy: "merchant" | "platform" | null;
            /**
             * Format: int64
             * @description How many attempts each payment of the account may make at providers, over all its confirms; 1 to 20. After the last one a payment that failed is canceled with `PAYMENT_RETRIES_EXHAUSTED`. It is fixed when a payment is created.
             */
            retryBudget: number;
            /**
             * Format: int64
             * @description For how many days after a capture it can be refunded; 0 to 3,650. Later refunds get `REFUND_WINDOW_CLOSED`.
             */
            refundWindowDays: number;
            /** @description Whether refunds and captures must have an `X-Idempotency-Key`; without one they then get `MISSING_REQUIRED_FIELD`. */
            requireIdempotencyKeys: boolean;
            /** @description What customers see of the account. */
            businessProfile: {
                /** @description What customers call the merchant; 1 to 100 characters. Null: they read the merchant's name. They never read the account's `name`. */
                name: string | null;
                /** @description The colour of the button that pays, such as `#1d4f91`; null for that of the page. */
                color: string | null;
                /** @description The path of the logo at the API's origin, without authentication; null without a logo. */
                logoPath: string | null;
                /** @description The e-mail address to which customers can write; null without one. */
                supportEmail: string | null;
                /** @description The telephone number that customers can call, such as `+49 30 901820`; null without one. */
                supportPhone: string | null;
                /** @description The web page that helps customers, with http or https; null without one. */
                supportUrl: string | null;
                /** @description The web page with the terms of the merchant, with http or https; null without one. */
                termsUrl: string | null;
                /** @description Where customers can go on after they have paid, with http or https; null without one. */
                returnUrl: string | null;
            };
            /**
             * Format: int64
             * @description From which amount on a person in the dashboard confirms a refund by password or second factor, in the minor unit of the refund's currency; null for none. Requests with an API key need no confirmation.
             */
            refundConfirmationAmount: number | null;
            /** @description Whether confirms go on to another provider after a decline. Members that are left out stay unchanged; off at first. */
            declineRetries: {
                /** @description Whether a confirm by card goes on to another provider after a decline with the advice `elsewhere`. It never does after an unknown outcome, once the customer was asked to act, with the token of a provider, or more often than the card schemes allow. */
                enabled: boolean;
                /**
                 * Format: int64
                 * @description How many further providers one confirm may ask after declines; 0 to 3.
                 */
                maxRetries: number;
                /** @description Whether it also goes on where the issuer gives no reason, and not only after technical declines. */
                issuerDeclines: boolean;
            };
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description An API key, without its secrets. */
        ApiKey: {
            /** @description The unique id of the API key, which begins with `key_`. It is not a secret. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "api_key";
            /** @description The merchant account (`mer_…`) that the key belongs to, and acts for unless `X-Merchant-ID` names another. */
            merchantId: string;
            /**
             * @description The environment that the key works in: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description A name for people, such as what uses the key; 1 to 255 characters. */
            name: string;
            /** @description The first characters of the key, by which it can be recognised in a configuration. */
            prefix: string;
            /**
             * @description Whether the key can be used.
             *
             *     - `active`: it can
             *     - `expired`: `expiresAt` is past
             *     - `revoked`: it was revoked; nothing makes it valid again
             * @enum {string}
             */
            status: "active" | "expired" | "revoked";
            /** @description What the key may do: `<resource>:read` and `<resource>:write` for each resource of the API. `support:read` adds `workflowUrl` to payment intents and refunds. */
            scopes: string[];
            /** @description Whether the key works only from the addresses in `ipAllowlist`; from all others it gets `IP_NOT_WHITELISTED`. A request that names addresses and leaves this out restricts the key to them. */
            ipRestricted: boolean;
            /** @description IPv4 and IPv6 addresses, and ranges in CIDR notation, from which a restricted key works; at most 100. */
            ipAllowlist: string[];
            /** @description Whether the key acts for its own account only, so that `X-Merchant-ID` may name no other. */
            accountBound: boolean;
            /**
             * Format: int64
             * @description The version of the request signature that the key takes, and no other: 1 or 2. Where a request that creates a key leaves it out, it is 2. Version 1 sends the salt with each request, and its signature covers neither method nor path: whoever reads a request can sign others, and can send it again for 5 minutes, to another path too, so that a read becomes a cancellation. A key never goes back to version 1.
             */
            signatureVersion: number;
            /**
             * Format: date-time
             * @description When the key stops working; ISO 8601 with a zone, in the future when it is set. Null: never.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When the key was revoked; null if it was not.
             */
            revokedAt: string | null;
            /** @description The id of the key that replaced this one in a rotation; null if it was not rotated. */
            replacedBy: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When the last request was signed with the key, written once a minute at most; null if none was. Requests that were refused count.
             */
            lastUsedAt: string | null;
            /** @description The IP address of that request. */
            lastUsedFrom: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description Something that goes on working when the person or the key that made it is gone. */
        CreatedResource: {
            /** @description The id of the resource. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "created_resource";
            /**
             * @description What it is.
             *
             *     - `api_key`: a live API key; revoking ends it
             *     - `webhook_endpoint`: an endpoint that is enabled; `active: false` disables it
             *     - `provider_account`: an account at a provider that is active; `status: 'disabled'` disables it
             *     - `payment_route`: an active route; `active: false` disables it
             *     - `payment_link`: an active payment link; `active: false` disables it
             * @enum {string}
             */
            type: "api_key" | "webhook_endpoint" | "provider_account" | "payment_route" | "payment_link";
            /** @description What people know it by: the name, the address of an endpoint, the provider of a route, the description or amount of a link. */
            name: string;
            /** @description The merchant account (`mer_…`) that it belongs to; null for a route, which belongs to the whole merchant. */
            merchantId: string | null;
            /**
             * @description The environment that it works in.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description An account of the merchant at a provider, without its secrets. */
        ProviderAccount: {
            /** @description The unique id of the account, which begins with its kind. Routes name it as their provider. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_account";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * @description The provider that the account is at.
             *
             *     - `simulator`: Simulator: every payment method, at the simulator of the sandbox
             *     - `stripe`: Stripe: cards at your own Stripe account
             *     - `adyen`: Adyen: cards at your own Adyen account
             *     - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
             *     - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
             * @enum {string}
             */
            kind: "simulator" | "stripe" | "adyen" | "cashfree" | "evm";
            /** @description A name of your own for the account, up to 100 characters. */
            name: string;
            /**
             * @description Whether it takes new payments.
             *
             *     - `active`: it does
             *     - `disabled`: it does not; payments, captures and refunds that are under way are still completed there
             * @enum {string}
             */
            status: "active" | "disabled";
            /** @description The names of the credentials that are set. */
            credentialNames: string[];
            /** @description Those credentials that are no secret, with their values as texts, lists and objects as JSON. No response has the others. */
            publicCredentials: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description When the credentials were last replaced.
             */
            credentialsUpdatedAt: string;
            /**
             * Format: date-time
             * @description Since when the provider refuses the credentials, so that payments there fail: they have expired, were revoked, or lack a right. Null where it does not, as far as calls have shown. It is null again once the provider has accepted them in a test or in the same kind of call, such as a refund.
             */
            credentialsRefusedSince: string | null;
            /** @description Where the provider posts its webhooks: this path, at the address of the API. Enter it in the provider's dashboard. A chain (`evm`) sends none. */
            webhookPath: string;
            /** @description What the provider can do; a route for anything else is skipped. */
            capabilities: {
                /** @description The payment methods that it takes. */
                paymentMethods: ("card" | "upi" | "crypto")[];
                /** @description How payments can be captured there. */
                captureMethods: ("automatic" | "manual")[];
                /** @description Whether it takes its own tokens that stand for cards (`providerToken` of a payment method). */
                providerTokens: boolean;
                /** @description Whether less than the authorized amount can be captured. */
                partialCapture: boolean;
            };
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description The providers at which the merchant account can have accounts, in the environment of the key. */
        ProviderKinds: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_kinds";
            /** @description The providers, each with the credentials of an account. */
            kinds: {
                /**
                 * @description The provider that the account is at.
                 *
                 *     - `simulator`: Simulator: every payment method, at the simulator of the sandbox
                 *     - `stripe`: Stripe: cards at your own Stripe account
                 *     - `adyen`: Adyen: cards at your own Adyen account
                 *     - `cashfree`: Cashfree Payments: UPI and cards in Indian rupees at your own Cashfree account
                 *     - `evm`: EVM chain: crypto deposits to addresses of your own wallet on an EVM chain
                 * @enum {string}
                 */
                kind: "simulator" | "stripe" | "adyen" | "cashfree" | "evm";
                /** @description The name of the provider, for people. */
                label: string;
                /** @description What accounts there are for. */
                description: string;
                /** @description What to enter, in the order of a form. */
                credentials: {
                    /** @description The name of the credential in `credentials` of an account. */
                    name: string;
                    /** @description Its name for people. */
                    label: string;
                    /** @description What it is, in Markdown. */
                    meaning: string;
                    /** @description Whether no response has it again. */
                    isSecret: boolean;
                    /** @description Whether it may be left out. */
                    isOptional: boolean;
                    /**
                     * @description How it is entered.
                     *
                     *     - `text`: as a text
                     *     - `number`: as a number
                     *     - `switch`: as true or false
                     *     - `choice`: as one of `choices`
                     *     - `json`: as a list or an object, in JSON
                     * @enum {string}
                     */
                    input: "text" | "number" | "switch" | "choice" | "json";
                    /** @description What can be chosen; empty for other inputs. */
                    choices: string[];
                    /** @description An example of a list or an object; null for other inputs. */
                    example: string | null;
                }[];
            }[];
        };
        /** @description Whether the credentials of an account at a provider work. */
        ProviderAccountTest: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_account_test";
            /** @description The id of the account that was tested. */
            providerAccountId: string;
            /** @description Whether the provider accepted the credentials. */
            ok: boolean;
            /** @description What is wrong with them, for people, in English; null if they work. */
            reason: string | null;
        };
        /** @description The confirmation that it is deleted. */
        DeletedProviderAccount: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_account";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description A way for payments to a provider, and which payments may take it. */
        PaymentRoute: {
            /** @description The unique id of the payment route, which begins with `rt_`. */
            id: string;
            /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
            provider: string;
            /**
             * @description The payment method that takes the route: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
            currencies: string[];
            /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
            countries: string[];
            /** @description Customers' countries that the route does not accept, although `countries` would. */
            excludedCountries: string[];
            /**
             * Format: int64
             * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMin: number | null;
            /**
             * Format: int64
             * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
             */
            amountMax: number | null;
            /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
            cardBrands: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
            /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
            cardGroups: string[];
            /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
            metadata: {
                [key: string]: string;
            };
            /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
            captureMethods: ("automatic" | "manual")[];
            /**
             * @description Who initiates the payments that the route accepts; empty for both.
             *
             *     - `customer`: the customer, who is present
             *     - `merchant`: the merchant, without the customer (off-session)
             */
            initiators: ("customer" | "merchant")[];
            /**
             * Format: int64
             * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
             */
            priority: number;
            /**
             * Format: int64
             * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
             */
            weight: number;
            /** @description Whether payments may take the route. */
            active: boolean;
            /** @description The share of payments that try the route first, in percent: among the active routes of the method with equal `priority`, of the payments that all of them take; null while the route is not active. It follows from the weights; set it with `/route-sets`. */
            sharePercent: number | null;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_route";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description Which routes a payment would take. */
        PaymentRouteSimulation: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_route_simulation";
            /**
             * Format: int64
             * @description The amount of the payment that is simulated, in the currency's minor unit.
             */
            amount: number;
            /** @description The currency of the payment that is simulated, as its ISO 4217 code. */
            currency: string;
            /**
             * @description The payment method that is simulated: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /**
             * @description How the payment that is simulated would be captured: `automatic` or `manual`.
             * @enum {string}
             */
            captureMethod: "automatic" | "manual";
            /** @description The country that was compared with the routes: the payment's own, else its customer's; null if neither is known. */
            country: string | null;
            /** @description The routes in the order in which they would be tried. */
            routes: {
                /** @description The id of the payment route (`rt_…`). */
                routeId: string;
                /** @description The provider that the route leads to. */
                provider: string;
                /**
                 * Format: int64
                 * @description The place of the route: lower numbers are tried first.
                 */
                priority: number;
                /**
                 * Format: int64
                 * @description The share of the route among those of equal priority.
                 */
                weight: number;
                /** @description Whether the provider has failed repeatedly of late, so that its routes are tried last. */
                circuitOpen: boolean;
                /** @description Why the route has its place among those of equal priority, where `/routing-settings` orders them by approval rate; else left out. */
                place?: {
                    /**
                     * @description What decided the place.
                     *
                     *     - `approval_rate`: the approval rates of the providers
                     *     - `exploration`: it was drawn to keep the rates of the other providers known
                     *     - `weight`: it was drawn by weight, because its provider has too few attempts for a rate
                     * @enum {string}
                     */
                    by: "approval_rate" | "exploration" | "weight";
                    /** @description The approval rate of the provider, from 0 to 1; null below the minimum of attempts. */
                    approvalRate: number | null;
                    /**
                     * Format: int64
                     * @description How many attempts of the provider were measured.
                     */
                    attempts: number;
                };
            }[];
            /** @description The routes that would not be tried, with the reason. */
            passedOver: {
                /** @description The id of the payment route (`rt_…`). */
                routeId: string;
                /** @description The provider that the route leads to. */
                provider: string;
                /**
                 * @description The first reason for which the route is not tried.
                 *
                 *     - `inactive`: it is not active
                 *     - `method`: it is for another payment method
                 *     - `currency`: it does not accept the currency
                 *     - `amount`: it does not accept the amount
                 *     - `card_brand`: it does not accept the brand of the card
                 *     - `card_group`: it accepts cards of other groups
                 *     - `metadata`: it accepts payments with other metadata
                 *     - `capture_method`: it does not accept the capture method
                 *     - `initiator`: it does not accept payments of this initiator
                 *     - `other_provider_token`: it does not lead to the provider whose token the payment method is
                 *     - `provider_not_configured`: its provider takes no payments of this environment
                 *     - `other_merchant_account`: it leads to another merchant account's account at its provider
                 *     - `provider_account_disabled`: it leads to an account at its provider that is disabled
                 *     - `method_not_offered`: its provider does not take the payment method
                 *     - `provider_token_not_offered`: its provider takes no tokens
                 *     - `capture_method_not_offered`: its provider does not take the capture method
                 *     - `currency_not_offered`: its provider does not take the currency
                 *     - `amount_not_offered`: its provider has no unit for the amount
                 *     - `asset_not_offered`: its provider does not take the asset on its network
                 *     - `amount_outside_limits`: its provider takes no such amount
                 *     - `no_stored_credential`: its provider has nothing by which a saved card is charged without the customer
                 *     - `country`: it does not accept the country
                 * @enum {string}
                 */
                reason: "inactive" | "method" | "currency" | "amount" | "card_brand" | "card_group" | "metadata" | "capture_method" | "initiator" | "other_provider_token" | "provider_not_configured" | "other_merchant_account" | "provider_account_disabled" | "method_not_offered" | "provider_token_not_offered" | "capture_method_not_offered" | "asset_not_offered" | "currency_not_offered" | "amount_not_offered" | "amount_outside_limits" | "no_stored_credential" | "country";
                /** @description What the provider takes instead, in English; left out where the provider is not the reason. */
                takes?: string;
            }[];
            /** @description The error with which a confirm would be refused; null if it would not be. */
            refusal: {
                /**
                 * @description The error code of the confirm.
                 * @enum {string}
                 */
                code: "CHANNEL_LIMIT_MIN_EXCEEDED" | "CHANNEL_LIMIT_MAX_EXCEEDED" | "NO_TSP_AVAILABLE" | "UNSUPPORTED_REGION" | "UNSUPPORTED_CURRENCY_PAIR" | "LIMIT_EXCEEDED";
                /** @description A message for people, in English. */
                message: string;
                /** @description What else is known of the error, such as the limit that is exceeded. */
                details?: {
                    [key: string]: unknown;
                };
            } | null;
        };
        /** @description The confirmation that it is deleted. */
        DeletedPaymentRoute: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_route";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description Cards that routes treat alike, by the first digits of their numbers. */
        CardGroup: {
            /** @description The unique id of the group, which begins with `crdg_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "card_group";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description What people know the group by, such as `Corporate cards`; up to 100 characters. */
            name: string;
            /** @description The first digits of the numbers of its cards (BIN, IIN), 6 to 8 each, 1 to 2,000 of them. A list is replaced as a whole. */
            prefixes: string[];
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description The confirmation that it is deleted. */
        DeletedCardGroup: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "card_group";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description All routes of a merchant at one time, without the routes themselves. */
        RouteSet: {
            /** @description The unique id of the set, which begins with `rset_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "route_set";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description What people know the set by, such as `80 % to beta`; null for nothing. */
            description: string | null;
            /**
             * Format: int64
             * @description How many routes the set has.
             */
            routeCount: number;
            /** @description A name for exactly these routes: two sets with the same routes have the same. */
            routesVersion: string;
            /** @description Whether payments take exactly these routes now. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the set was last activated; null if it never was.
             */
            activatedAt: string | null;
            /** @description The id of the set with the routes from before its last activation: activate that one to return to them. Null if it was never activated. */
            replacedSetId: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description All routes of a merchant at one time. */
        CreateRouteSetResult: {
            /** @description The unique id of the set, which begins with `rset_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "route_set";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description What people know the set by, such as `80 % to beta`; null for nothing. */
            description: string | null;
            /**
             * Format: int64
             * @description How many routes the set has.
             */
            routeCount: number;
            /** @description A name for exactly these routes: two sets with the same routes have the same. */
            routesVersion: string;
            /** @description Whether payments take exactly these routes now. */
            isActive: boolean;
            /**
             * Format: date-time
             * @description When the set was last activated; null if it never was.
             */
            activatedAt: string | null;
            /** @description The id of the set with the routes from before its last activation: activate that one to return to them. Null if it was never activated. */
            replacedSetId: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /** @description All routes of the set, in the order in which they are tried. */
            routes: {
                /** @description The unique id of the payment route, which begins with `rt_`. */
                id: string;
                /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
                provider: string;
                /**
                 * @description The payment method that takes the route: `card`, `upi` or `crypto`.
                 * @enum {string}
                 */
                paymentMethod: "card" | "upi" | "crypto";
                /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
                currencies: string[];
                /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
                countries: string[];
                /** @description Customers' countries that the route does not accept, although `countries` would. */
                excludedCountries: string[];
                /**
                 * Format: int64
                 * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                 */
                amountMin: number | null;
                /**
                 * Format: int64
                 * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                 */
                amountMax: number | null;
                /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
                cardBrands: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
                /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
                cardGroups: string[];
                /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
                metadata: {
                    [key: string]: string;
                };
                /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
                captureMethods: ("automatic" | "manual")[];
                /**
                 * @description Who initiates the payments that the route accepts; empty for both.
                 *
                 *     - `customer`: the customer, who is present
                 *     - `merchant`: the merchant, without the customer (off-session)
                 */
                initiators: ("customer" | "merchant")[];
                /**
                 * Format: int64
                 * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
                 */
                priority: number;
                /**
                 * Format: int64
                 * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
                 */
                weight: number;
                /** @description Whether payments may take the route. */
                active: boolean;
                /** @description The share of payments that try the route first, in percent: among the active routes of the method with equal `priority`, of the payments that all of them take; null while the route is not active. It follows from the weights; set it with `/route-sets`. */
                sharePercent: number | null;
            }[];
            /** @description The `routesVersion` of the routes that payments take now, with which `changes` compares. Send it to `/activate`, so that the activation is refused if somebody has changed a route meanwhile. */
            currentRoutesVersion: string;
            /** @description What its activation would change in the routes that payments take now; empty if nothing. */
            changes: {
                /** @description The id of the payment route (`rt_…`). */
                routeId: string;
                /**
                 * @description What would become of the route.
                 *
                 *     - `created`: it would be added
                 *     - `updated`: it would be changed
                 *     - `deleted`: it would be taken away
                 * @enum {string}
                 */
                change: "created" | "updated" | "deleted";
                /** @description The route as it is now; null if it would be added. */
                before: {
                    /** @description The unique id of the payment route, which begins with `rt_`. */
                    id: string;
                    /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
                    provider: string;
                    /**
                     * @description The payment method that takes the route: `card`, `upi` or `crypto`.
                     * @enum {string}
                     */
                    paymentMethod: "card" | "upi" | "crypto";
                    /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
                    currencies: string[];
                    /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
                    countries: string[];
                    /** @description Customers' countries that the route does not accept, although `countries` would. */
                    excludedCountries: string[];
                    /**
                     * Format: int64
                     * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                     */
                    amountMin: number | null;
                    /**
                     * Format: int64
                     * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                     */
                    amountMax: number | null;
                    /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
                    cardBrands: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
                    /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
                    cardGroups: string[];
                    /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
                    metadata: {
                        [key: string]: string;
                    };
                    /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
                    captureMethods: ("automatic" | "manual")[];
                    /**
                     * @description Who initiates the payments that the route accepts; empty for both.
                     *
                     *     - `customer`: the customer, who is present
                     *     - `merchant`: the merchant, without the customer (off-session)
                     */
                    initiators: ("customer" | "merchant")[];
                    /**
                     * Format: int64
                     * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
                     */
                    priority: number;
                    /**
                     * Format: int64
                     * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
                     */
                    weight: number;
                    /** @description Whether payments may take the route. */
                    active: boolean;
                } | null;
                /** @description The route as the set has it; null if it would be taken away. */
                after: {
                    /** @description The unique id of the payment route, which begins with `rt_`. */
                    id: string;
                    /** @description The provider that the route leads to, such as `alpha` in the sandbox, or the id of an account at a provider (`/provider-accounts`). */
                    provider: string;
                    /**
                     * @description The payment method that takes the route: `card`, `upi` or `crypto`.
                     * @enum {string}
                     */
                    paymentMethod: "card" | "upi" | "crypto";
                    /** @description The currencies that the route accepts, as ISO 4217 codes; empty for every currency. */
                    currencies: string[];
                    /** @description The customers' countries that the route accepts, as ISO 3166-1 alpha-2 codes; empty for every country. */
                    countries: string[];
                    /** @description Customers' countries that the route does not accept, although `countries` would. */
                    excludedCountries: string[];
                    /**
                     * Format: int64
                     * @description The smallest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                     */
                    amountMin: number | null;
                    /**
                     * Format: int64
                     * @description The largest amount that the route accepts, in the currency's minor unit; null for any. Only for a route with exactly one currency.
                     */
                    amountMax: number | null;
                    /** @description The brands of cards that the route accepts; empty for every brand. A token of a provider has no known brand, so a route with brands skips it. */
                    cardBrands: ("visa" | "mastercard" | "american_express" | "diners_club" | "discover" | "elo" | "hiper" | "hipercard" | "jcb" | "maestro" | "mir" | "naranja" | "rupay" | "troy" | "unionpay" | "verve")[];
                    /** @description The ids of the groups of cards (`/card-groups`) that the route accepts; empty for every card. A card belongs to a group if its number begins with one of its prefixes when the card is sent; a token of a provider belongs to none. */
                    cardGroups: string[];
                    /** @description Pairs that the metadata of the payment must have, compared exactly, at most 5; empty for any. The metadata at the confirm counts. */
                    metadata: {
                        [key: string]: string;
                    };
                    /** @description The capture methods that the route accepts, `automatic` or `manual`; empty for both. */
                    captureMethods: ("automatic" | "manual")[];
                    /**
                     * @description Who initiates the payments that the route accepts; empty for both.
                     *
                     *     - `customer`: the customer, who is present
                     *     - `merchant`: the merchant, without the customer (off-session)
                     */
                    initiators: ("customer" | "merchant")[];
                    /**
                     * Format: int64
                     * @description The place of the route: lower numbers are tried first; 0 to 1,000,000.
                     */
                    priority: number;
                    /**
                     * Format: int64
                     * @description Decides the share of payments that try the route first, among routes of equal priority: its weight divided by the sum of theirs; 1 to 1,000.
                     */
                    weight: number;
                    /** @description Whether payments may take the route. */
                    active: boolean;
                } | null;
            }[];
        };
        /** @description Where the payments of the last days would have gone under a set of routes. */
        RouteBackTest: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "route_back_test";
            /** @description The id of the set (`rset_…`). */
            routeSetId: string;
            /**
             * Format: date-time
             * @description The beginning of the range.
             */
            from: string;
            /**
             * Format: date-time
             * @description The end of the range.
             */
            to: string;
            /**
             * Format: int64
             * @description How many payments of the account were planned again.
             */
            payments: number;
            /** @description Whether these are all attempted payments of the range: false where the limit, or 5 seconds, ended the test before. */
            isComplete: boolean;
            /**
             * Format: int64
             * @description How many first attempts of these payments were approved.
             */
            approved: number;
            /** @description How many would be expected under the set: a payment that stays at its provider counts as it ended, one that moves counts by the approval rate of its new provider. */
            expectedApproved: number;
            /**
             * Format: int64
             * @description Payments that would move to a provider whose rate is not known; they are not in `expectedApproved`.
             */
            unrated: number;
            /** @description The providers of both, with the most payments under the set first. */
            providers: {
                /** @description The provider. */
                provider: string;
                /**
                 * Format: int64
                 * @description How many payments went to it first.
                 */
                actualPayments: number;
                /**
                 * Format: int64
                 * @description How many would go to it first.
                 */
                proposedPayments: number;
                /** @description Of its first attempts among these payments, how many were approved, from 0 to 1, without declines for want of money or for wrong data; null below 10. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many attempts were measured for it.
                 */
                attempts: number;
            }[];
            /** @description Payments that would go elsewhere, the most first. */
            moves: {
                /** @description The provider to which they went. */
                from: string;
                /** @description The provider to which they would go. */
                to: string;
                /**
                 * Format: int64
                 * @description How many payments would move so.
                 */
                payments: number;
            }[];
            /** @description Payments that no route of the set would take, by the error of their confirm. */
            refusals: {
                /** @description The error code. */
                code: string;
                /**
                 * Format: int64
                 * @description How many payments that would be.
                 */
                payments: number;
            }[];
        };
        /** @description How routes of equal priority of a payment method are ordered. */
        RoutingSetting: {
            /** @description The payment method that the setting is for. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "routing_setting";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * @description The payment method that the setting is for: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /**
             * @description How routes of equal `priority` are ordered.
             *
             *     - `weighted`: each payment draws the order, by `weight`
             *     - `approval_rate`: the provider with the highest approval rate first, but for the exploration
             * @enum {string}
             */
            ordering: "weighted" | "approval_rate";
            /** @description Of the payments that could go to the provider with the highest rate, how many go to the others instead, so that their rates stay known; 0.05 to 0.5. */
            explorationShare: number;
            /**
             * Format: int64
             * @description Attempts of a provider below which its rate does not count, and its routes get their share by `weight`; 10 to 1,000.
             */
            minimumAttempts: number;
            /**
             * Format: int64
             * @description After how many hours without an attempt a rate does not count any more; 1 to 168.
             */
            windowHours: number;
            /** @description The rates of the account that are measured for payments of any currency and country, while `ordering` is `approval_rate`, highest first. */
            rates: {
                /** @description The provider. */
                provider: string;
                /** @description Of the first attempts of payments, how many were approved, from 0 to 1; newer ones count more. */
                approvalRate: number;
                /**
                 * Format: int64
                 * @description How many attempts were measured.
                 */
                attempts: number;
            }[];
            /**
             * Format: date-time
             * @description When it was last set; null where it never was, and the defaults hold.
             */
            updatedAt: string | null;
        };
        /** @description The smallest and largest amount of a payment method in a currency. */
        ChannelLimit: {
            /** @description Payment method and currency, which name the limit: `card:EUR`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "channel_limit";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * @description The payment method that the limit is for: `card`, `upi` or `crypto`.
             * @enum {string}
             */
            paymentMethod: "card" | "upi" | "crypto";
            /** @description The currency that the limit is for, as its ISO 4217 code: `EUR`. */
            currency: string;
            /**
             * Format: int64
             * @description The smallest amount that may be paid, in the currency's minor unit; payments below it get `CHANNEL_LIMIT_MIN_EXCEEDED`.
             */
            minimumAmount: number;
            /**
             * Format: int64
             * @description The largest amount that may be paid, in the currency's minor unit; payments above it get `CHANNEL_LIMIT_MAX_EXCEEDED`.
             */
            maximumAmount: number;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description The confirmation that it is deleted. */
        DeletedChannelLimit: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "channel_limit";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description Captured money that is given back, in whole or in part. */
        Refund: {
            /** @description The unique id of the refund, which begins with `re_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "refund";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the payment intent (`pi_…`) whose money is refunded. */
            paymentIntentId: string;
            /** @description The id of the capture (`txn_…`) whose money is refunded. */
            transactionId: string;
            /**
             * Format: int64
             * @description How much is refunded, in the currency's minor unit. If the provider refunds another amount, support staff may record that one by hand.
             */
            amount: number;
            /** @description The currency of the amount, as its ISO 4217 code: `EUR`. */
            currency: string;
            /**
             * @description The state of the refund.
             *
             *     - `pending`: the provider has not answered yet; an event reports the outcome
             *     - `succeeded`: the provider refunded the money
             *     - `failed`: the provider refused; `failure` says why, and the amount can be refunded again
             * @enum {string}
             */
            status: "pending" | "succeeded" | "failed";
            /**
             * @description Why the money is refunded; null if no reason was given.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: the customer paid twice
             *     - `fraudulent`: the payment is suspected of fraud
             *     - `other`: any other reason
             * @enum {string|null}
             */
            reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null;
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference: string | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /** @description The provider that makes the refund: the one that took the money. */
            provider: string;
            /**
             * @description Who made the refund.
             *
             *     - `engine`: it was requested by this API or in the dashboard
             *     - `provider`: it was made in the provider's dashboard or by the provider, and nobody requested it here
             * @enum {string}
             */
            origin: "engine" | "provider";
            /** @description Why the refund failed; null unless `status` is `failed`. */
            failure: {
                /** @description The error code, one of `ErrorCode`. */
                code: string;
                /** @description A message for people, in English. */
                message: string;
                /** @description What else is known of the failure; the members depend on the code. */
                details?: {
                    [key: string]: unknown;
                };
            } | null;
            /** @description The notice that the refund waits for its provider for unusually long; null if it does not. */
            advisory: components["schemas"]["Advisory"] | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
        };
        /** @description A customer's bank asks about a payment, or takes its money back. */
        Dispute: {
            /** @description The unique id of the dispute, which begins with `dp_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "dispute";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the payment intent (`pi_…`) that is disputed. */
            paymentIntentId: string;
            /** @description The id of the attempt (`att_…`) whose money is disputed. */
            attemptId: string;
            /** @description The id of the customer (`cus_…`) of the payment; null without one. */
            customerId: string | null;
            /** @description The provider that reports it. */
            provider: string;
            /** @description The provider's own id of the dispute, to look it up there. */
            providerReference: string;
            /**
             * Format: int64
             * @description The disputed amount, in the currency's minor unit; null where the provider does not say.
             */
            amount: number | null;
            /** @description The currency of the amount, as its ISO 4217 code; null without an amount. */
            currency: string | null;
            /**
             * @description How far it is; a stage only rises.
             *
             *     - `inquiry`: the customer's bank asks about the payment, and no money has moved
             *     - `chargeback`: the customer's bank takes the money back
             *     - `pre_arbitration`: the bank does not accept the answer to the chargeback
             *     - `arbitration`: the card scheme decides
             * @enum {string}
             */
            stage: "inquiry" | "chargeback" | "pre_arbitration" | "arbitration";
            /**
             * @description Who has to act, or how it ended.
             *
             *     - `needs_response`: the merchant can answer, until `respondBy`
             *     - `submitting`: the evidence is on its way to the provider, which has not answered yet
             *     - `accepting`: the provider is told that the money is given up, and has not answered yet
             *     - `under_review`: the bank or the scheme examines the merchant's answer
             *     - `won`: it ended for the merchant; a scheme may open it again
             *     - `lost`: it ended against the merchant
             *     - `closed`: it ended without a decision, as an inquiry does that no chargeback follows
             * @enum {string}
             */
            status: "needs_response" | "under_review" | "won" | "lost" | "closed" | "submitting" | "accepting";
            /**
             * @description Why the customer disputes the payment.
             *
             *     - `fraudulent`: the customer did not make the payment
             *     - `unrecognized`: the customer does not recognise it
             *     - `duplicate`: it was paid twice
             *     - `product_not_received`: what was paid for did not arrive
             *     - `product_unacceptable`: what arrived is not what was ordered
             *     - `credit_not_processed`: a refund that was promised did not arrive
             *     - `subscription_canceled`: the subscription had been canceled
             *     - `amount_differs`: another amount was agreed
             *     - `authorization`: the bank had not authorized it, or not as it was taken
             *     - `processing_error`: it was processed wrongly
             *     - `general`: another reason, or none that the provider says
             * @enum {string}
             */
            reason: "fraudulent" | "unrecognized" | "duplicate" | "product_not_received" | "product_unacceptable" | "credit_not_processed" | "subscription_canceled" | "amount_differs" | "authorization" | "processing_error" | "general";
            /** @description The card network's own code of the reason, such as `10.4`; null where the provider does not say. */
            networkReasonCode: string | null;
            /**
             * Format: date-time
             * @description Until when the merchant can answer; null where the provider does not say.
             */
            respondBy: string | null;
            /** @description Whether the merchant can answer at all; null where the provider does not say. */
            isDefendable: boolean | null;
            /**
             * @description Where the merchant answers.
             *
             *     - `api`: here: the engine sends the answer to the provider
             *     - `provider_dashboard`: in the provider's own dashboard, because the engine can send this provider no answer
             * @enum {string}
             */
            answeredIn: "api" | "provider_dashboard";
            /**
             * Format: int64
             * @description What the provider has taken for the dispute and not given back, in the currency's minor unit. It says nothing about who wins.
             */
            amountWithdrawn: number;
            /**
             * Format: int64
             * @description How much of the capture cannot be refunded because of the dispute: what was taken, and while a chargeback is open or lost, all that is disputed.
             */
            amountBlocked: number;
            /** @description The merchant's answer, a draft until it is submitted. Null in events, because it tells much of the customer. */
            evidence: {
                /** @description Why the payment is right, in your own words. */
                explanation: string | null;
                /** @description What was sold. */
                productDescription: string | null;
                /** @description The name of the customer. */
                customerName: string | null;
                /** @description The e-mail address of the customer. */
                customerEmailAddress: string | null;
                /** @description The IP address from which the customer ordered. */
                customerPurchaseIp: string | null;
                /** @description The billing address of the customer. */
                billingAddress: string | null;
                /** @description Where the product was sent. */
                shippingAddress: string | null;
                /** @description Who delivered it, such as DHL. */
                shippingCarrier: string | null;
                /** @description The number by which the carrier finds the delivery. */
                shippingTrackingNumber: string | null;
                /** @description When it was sent. */
                shippingDate: string | null;
                /** @description When the service was provided. */
                serviceDate: string | null;
                /** @description Proof that the customer used a digital product, such as times and addresses of sign-ins. */
                accessActivityLog: string | null;
                /** @description How the customer was shown the refund policy before the payment. */
                refundPolicyDisclosure: string | null;
                /** @description Why the customer is not entitled to a refund. */
                refundRefusalExplanation: string | null;
                /** @description How the customer was shown the cancellation policy before the payment. */
                cancellationPolicyDisclosure: string | null;
                /** @description Why the subscription was not canceled in time. */
                cancellationRebuttal: string | null;
                /** @description Why two payments that look alike are for different things. */
                duplicateChargeExplanation: string | null;
                /** @description The files of the answer, at most one of each kind. */
                files: {
                    /**
                     * @description What the file shows.
                     *
                     *     - `receipt`: the receipt or the invoice
                     *     - `customer_communication`: what was written with the customer
                     *     - `customer_signature`: the customer's signature
                     *     - `shipping_documentation`: proof of the delivery
                     *     - `service_documentation`: proof of the service
                     *     - `refund_policy`: the refund policy
                     *     - `cancellation_policy`: the cancellation policy
                     *     - `duplicate_charge_documentation`: proof that two payments are for different things
                     *     - `other`: anything else
                     * @enum {string}
                     */
                    kind: "receipt" | "customer_communication" | "customer_signature" | "shipping_documentation" | "service_documentation" | "refund_policy" | "cancellation_policy" | "duplicate_charge_documentation" | "other";
                    /**
                     * @description The type of the file.
                     * @enum {string}
                     */
                    contentType: "application/pdf" | "image/png" | "image/jpeg";
                    /**
                     * Format: int64
                     * @description The size of the file in bytes.
                     */
                    sizeBytes: number;
                    /**
                     * Format: date-time
                     * @description When it was uploaded; ISO 8601 in UTC, with milliseconds.
                     */
                    createdAt: string;
                }[];
            } | null;
            /**
             * Format: date-time
             * @description When the provider took the evidence; null before.
             */
            evidenceSubmittedAt: string | null;
            /** @description Why the last submission or acceptance failed; null if it did not. It can be requested again. */
            lastError: {
                /** @description The code of the error catalogue. */
                code: string;
                /** @description What went wrong, and what to do. */
                message: string;
                /** @description What else is known, such as the answer of the provider. */
                details?: {
                    [key: string]: unknown;
                };
            } | null;
            /**
             * Format: date-time
             * @description When it ended at the provider; null while it is open.
             */
            outcomeAt: string | null;
            /**
             * Format: date-time
             * @description When the engine first heard of it.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
        };
        /** @description What a provider pays to the merchant's bank in one transfer. */
        Settlement: {
            /** @description The unique id of the settlement, which begins with `stl_`. */
            id: string;
            /**
             * @description The type of the object; always this value. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            object: "settlement";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The provider that pays. */
            provider: string;
            /** @description The provider's own id of the settlement, to look it up there. */
            providerReference: string;
            /**
             * @description What has become of the payment to the bank.
             *
             *     - `open`: the provider has not paid it yet
             *     - `paid`: the provider says that it has paid
             *     - `failed`: the payment to the bank failed
             *     - `returned`: the bank has sent the money back
             * @enum {string}
             */
            status: "open" | "paid" | "failed" | "returned";
            /** @description The currency of the settlement, as its ISO 4217 code. */
            currency: string;
            /**
             * Format: int64
             * @description The sum of the payments, in the currency's minor unit.
             */
            grossAmount: number;
            /**
             * Format: int64
             * @description The sum of the refunds, in the currency's minor unit; usually negative.
             */
            refundAmount: number;
            /**
             * Format: int64
             * @description What disputes took and gave back, in the currency's minor unit; usually negative.
             */
            disputeAmount: number;
            /**
             * Format: int64
             * @description The sum of everything else but fees and taxes, such as reserves and corrections, in the currency's minor unit.
             */
            otherAmount: number;
            /**
             * Format: int64
             * @description What the provider keeps, without taxes, in the currency's minor unit; positive.
             */
            feeAmount: number;
            /**
             * Format: int64
             * @description The taxes on the fees, in the currency's minor unit; positive.
             */
            taxAmount: number;
            /**
             * Format: int64
             * @description What the provider says that it pays, in the currency's minor unit. Where accounts share the provider, the sum of the account's own entries. It is `grossAmount` + `refundAmount` + `disputeAmount` + `otherAmount` − `feeAmount` − `taxAmount` + `unexplainedAmount`.
             */
            netAmount: number;
            /**
             * Format: int64
             * @description The part of the net amount that no entry explains, in the currency's minor unit; 0 where everything adds up.
             */
            unexplainedAmount: number;
            /**
             * Format: date
             * @description When the money arrives at the bank, as a date; null where the provider does not say.
             */
            arrivalDate: string | null;
            /** @description How the payment is called on the bank statement, such as a UTR or trace id; null where the provider does not say. */
            bankReference: string | null;
            /**
             * @description From where the engine knows it.
             *
             *     - `api`: the provider's list of settlements
             *     - `report`: a report that the provider offered
             *     - `upload`: a report that was uploaded
             * @enum {string}
             */
            source: "api" | "report" | "upload";
            /** @description How many entries it has. */
            entries: {
                /**
                 * Format: int64
                 * @description All of them.
                 */
                total: number;
                /**
                 * Format: int64
                 * @description Those that agree with the transactions.
                 */
                matched: number;
                /**
                 * Format: int64
                 * @description Those that do not, and that nobody has resolved.
                 */
                exceptions: number;
            };
            /** @description What the bank statement says of it; null until somebody has said so. */
            bank: {
                /**
                 * Format: int64
                 * @description The amount on the bank statement, in the currency's minor unit.
                 */
                amount: number;
                /** @description The currency of the amount, as its ISO 4217 code. */
                currency: string;
                /**
                 * Format: date
                 * @description The value date on the bank statement.
                 */
                valueDate: string;
                /** @description The reference on the bank statement; null without one. */
                reference: string | null;
                /**
                 * Format: date-time
                 * @description When it was said; ISO 8601 in UTC, with milliseconds.
                 */
                confirmedAt: string;
            } | null;
            /**
             * Format: date-time
             * @description When the engine first saw that it was paid; null before.
             */
            settledAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description A line of a settlement, or a transaction that is expected in one. */
        SettlementEntry: {
            /** @description The unique id of the entry, which begins with `ste_`. */
            id: string;
            /**
             * @description The type of the object; always this value. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            object: "settlement_entry";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the settlement (`stl_…`); null of what is expected or missing. */
            settlementId: string | null;
            /** @description The provider that settles it. */
            provider: string;
            /**
             * @description What it is.
             *
             *     - `payment`: a captured payment
             *     - `refund`: a refund
             *     - `chargeback`: money that a dispute took
             *     - `chargeback_reversal`: money that was given back after a dispute
             *     - `fee`: a fee that is of no single payment
             *     - `adjustment`: a correction
             *     - `reserve`: money that the provider keeps back, or releases
             *     - `fx`: an exchange of currencies
             *     - `transfer`: the payment to the bank itself
             *     - `other`: something else; `providerType` names it
             * @enum {string}
             */
            type: "payment" | "refund" | "chargeback" | "chargeback_reversal" | "fee" | "adjustment" | "reserve" | "fx" | "transfer" | "other";
            /** @description The provider's own name of the type; null of what is expected or missing. */
            providerType: string | null;
            /** @description The provider's own id of the line; null of what is expected or missing. */
            providerReference: string | null;
            /** @description The id of the transaction (`txn_…`) that it settles; null without one. */
            transactionId: string | null;
            /** @description The id of the refund (`re_…`) that it settles; null without one. */
            refundId: string | null;
            /** @description The id of the dispute (`dp_…`) that it belongs to; null without one. */
            disputeId: string | null;
            /** @description The id of the payment intent (`pi_…`) that it belongs to; null without one. */
            paymentIntentId: string | null;
            /**
             * Format: int64
             * @description The amount, in the currency's minor unit: positive where it is for the merchant.
             */
            amount: number;
            /**
             * Format: int64
             * @description What the provider keeps of it, in the currency's minor unit; null while it is not settled.
             */
            fee: number | null;
            /** @description Of what the fee consists, as far as the provider says it. */
            feeDetails: components["schemas"]["SettlementFee"][];
            /**
             * Format: int64
             * @description The amount without the fee, in the currency's minor unit; null while it is not settled.
             */
            net: number | null;
            /** @description The currency of the amounts, as its ISO 4217 code. */
            currency: string;
            /**
             * Format: int64
             * @description The amount in the currency of the payment, in its minor unit; null where it is the same currency.
             */
            originalAmount: number | null;
            /** @description The currency of the payment, as its ISO 4217 code; null where it is the same. */
            originalCurrency: string | null;
            /** @description The rate of the exchange as a decimal number; null where nothing was exchanged. */
            exchangeRate: string | null;
            /**
             * Format: date-time
             * @description When it happened, as the provider says; ISO 8601 in UTC, with milliseconds.
             */
            occurredAt: string;
            /**
             * Format: date
             * @description When the money is available, as a date; null where the provider does not say.
             */
            availableOn: string | null;
            /**
             * @description Whether it agrees with the transactions. All but `matched` and `expected` are exceptions.
             *
             *     - `matched`: it agrees with the transaction, or has no counterpart, as a fee of the month has none
             *     - `expected`: a transaction that the provider has not settled yet, and still may
             *     - `missing`: a transaction that the provider should have settled by now
             *     - `unknown`: a line of the provider that belongs to no transaction
             *     - `amount_differs`: the amounts differ, or the line does not add up; `details` says which
             *     - `currency_differs`: the currencies differ
             *     - `duplicate`: another line has settled the transaction already
             * @enum {string}
             */
            match: "matched" | "expected" | "missing" | "unknown" | "amount_differs" | "currency_differs" | "duplicate";
            /** @description Both sides of an exception; null otherwise. */
            details: {
                /** @description The engine's transaction; null where there is none. */
                ours: components["schemas"]["SettlementSide"] | null;
                /** @description The provider's line; null where there is none. */
                theirs: components["schemas"]["SettlementSide"] | null;
                /** @description Of a duplicate: the provider's id of the line that has settled the transaction. */
                settledBy?: string;
                /**
                 * @description Of an amount that differs: which one.
                 *
                 *     - `amount`: the amount of the transaction
                 *     - `net`: the net, which is not the amount without the fee
                 *     - `fee_details`: the parts of the fee, which are not the fee
                 * @enum {string}
                 */
                differs?: "amount" | "net" | "fee_details";
            } | null;
            /**
             * @description How somebody has ended the exception; null while nobody has.
             *
             *     - `accepted`: it is as it should be
             *     - `written_off`: the money is given up
             * @enum {string|null}
             */
            resolution: "accepted" | "written_off" | null;
            /** @description What was noted about it; null without a note. */
            note: string | null;
            /**
             * Format: date-time
             * @description When the exception was ended; null before.
             */
            resolvedAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description Money that moved or was held. */
        Transaction: {
            /** @description The unique id of the transaction, which begins with `txn_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "transaction";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the payment intent (`pi_…`) that it belongs to. */
            paymentIntentId: string;
            /** @description The id of the attempt (`att_…`) that it belongs to. */
            attemptId: string;
            /** @description The id of the refund (`re_…`) that it belongs to; null unless `type` is `refund`, or `void` of a refund. */
            refundId: string | null;
            /**
             * @description What happened to the money.
             *
             *     - `authorization`: it is held
             *     - `capture`: it was taken
             *     - `void`: it was held, and is released; or, with a `refundId`, a refund failed after it had succeeded, and is canceled
             *     - `refund`: it was given back
             *     - `capture_reversal`: it had been taken, and did not arrive after all
             *     - `chargeback`: the provider has taken it for a dispute
             *     - `chargeback_reversal`: the provider has given it back after a dispute
             * @enum {string}
             */
            type: "authorization" | "capture" | "void" | "refund" | "capture_reversal" | "chargeback" | "chargeback_reversal";
            /**
             * Format: int64
             * @description The amount, in the currency's minor unit; never negative.
             */
            amount: number;
            /** @description The currency of the amount, as its ISO 4217 code: `EUR`. */
            currency: string;
            /** @description The provider that holds, took or returned the money. */
            provider: string;
            /** @description The provider's own id of the payment, the refund or the dispute, to look it up there. */
            providerReference: string;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: int64
             * @description Of a capture: how much of it was refunded, in the currency's minor unit. Absent for other types.
             */
            amountRefunded?: number;
            /**
             * Format: int64
             * @description Of a capture: how much of it can still be refunded, in the currency's minor unit; pending refunds and what is disputed are subtracted. Absent for other types.
             */
            amountRefundable?: number;
            /**
             * Format: int64
             * @description What the provider keeps of it, in the minor unit of `settlementCurrency`; null until the provider has settled it.
             */
            fee: number | null;
            /**
             * Format: int64
             * @description What arrives of it, in the minor unit of `settlementCurrency`: negative where money goes; null until the provider has settled it.
             */
            net: number | null;
            /** @description The currency of `fee` and `net`, as its ISO 4217 code; null until the provider has settled it. */
            settlementCurrency: string | null;
            /** @description The id of the settlement (`stl_…`) that it is in; null until it is known. */
            settlementId: string | null;
            /**
             * Format: date-time
             * @description When the engine first saw that the settlement was paid; null before.
             */
            settledAt: string | null;
        };
        /** @description How many of the events that an endpoint has missed are delivered again. */
        WebhookMissedRedelivery: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_missed_redelivery";
            /** @description The id of the endpoint (`whe_…`) to deliver to, which must be enabled. */
            webhookEndpointId: string;
            /**
             * Format: int64
             * @description How many events are delivered again.
             */
            redelivered: number;
            /** @description Whether no further event was missed since then. If not, and some were redelivered, repeat the request with another idempotency key for the next ones. */
            isComplete: boolean;
        };
        /** @description The deliveries of an event that are under way now. */
        WebhookRedelivery: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_redelivery";
            /** @description The id of the event (`evt_…`) that is delivered. */
            eventId: string;
            /** @description The deliveries that are under way now, one for each endpoint. */
            deliveries: components["schemas"]["WebhookDelivery"][];
        };
        /** @description One change of a setting: who made it, and the resource before and after. */
        AuditEvent: {
            /** @description The unique id of the entry, which begins with `aud_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "audit_event";
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The merchant account (`mer_…`) that the resource belongs to; null where it belongs to the merchant, as payment routes and channel limits do. */
            merchantId: string | null;
            /**
             * @description What was done to which kind of resource, such as `api_key.revoked`.
             * @enum {string}
             */
            action: "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "merchant_account.created" | "merchant_account.updated" | "merchant_account.suspended" | "merchant_account.activated" | "payment_route.created" | "payment_route.updated" | "payment_route.deleted" | "card_group.created" | "card_group.updated" | "card_group.deleted" | "route_set.created" | "route_set.activated" | "routing_setting.updated" | "channel_limit.created" | "channel_limit.updated" | "channel_limit.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.deleted" | "provider_account.created" | "provider_account.updated" | "provider_account.credentials_rotated" | "test_clock.advanced" | "provider_account.deleted" | "payment_link.created" | "payment_link.updated" | "payment_intent.updated" | "payment_intent.provider_asked" | "payment_intent.resolution_requested" | "payment_intent.resolved_by_hand" | "payment_intent.capture_requested" | "payment_intent.cancel_requested" | "refund.created" | "dispute.submit_requested" | "dispute.accept_requested" | "settlement.bank_confirmed" | "settlement_entry.resolved" | "team.updated" | "team_member.joined" | "team_member.updated" | "team_member.removed" | "team_member.signed_in" | "team_member.sign_in_failed" | "team_member.locked_out" | "team_member.session_ended" | "team_member.password_changed" | "team_member.password_reset_requested" | "team_member.second_factor_enabled" | "team_member.second_factor_disabled" | "team_member.recovery_codes_created" | "invitation.created" | "invitation.resent" | "invitation.deleted";
            /** @description The id of the resource that was changed. */
            resourceId: string;
            /** @description Who made the change. */
            actor: {
                /**
                 * @description What kind of actor it is.
                 *
                 *     - `api_key`: the holder of an API key, by a request
                 *     - `person`: a person who is signed in to the dashboard
                 *     - `anonymous`: somebody at the sign-in who did not prove to be the person
                 *     - `operator`: an operator of the platform, by a command
                 *     - `platform`: the staff of the platform
                 *     - `system`: the engine itself
                 * @enum {string}
                 */
                type: "api_key" | "person" | "anonymous" | "operator" | "platform" | "system";
                /** @description The id of the API key or the person, the operator's user name, `platform`, `anonymous`, or the engine's process. */
                id: string;
                /** @description The name of the API key; the person's name or, without one, the e-mail address; the operator's user name. Null for the platform, the engine and who is anonymous, and where the person or key does not exist any more. */
                name: string | null;
                /** @description The client's IP address, the operator's host, `internal`, or `temporal`: what support staff do about a payment reaches its workflow, which records it, without an address. */
                address: string;
            };
            /** @description The resource before the change, without secrets; null for a creation. */
            before: {
                [key: string]: unknown;
            } | null;
            /** @description The resource after the change, without secrets; null for a deletion. Of a sign-in: how it went, and the `userAgent` of the browser. */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the change was made; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description A request to the API, and how it was answered. */
        Request: {
            /** @description The id of the request: the header `X-Request-Id` of its response, which the client may have chosen. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "request";
            /** @description The id of the merchant account (`mer_…`) that the request acted for. */
            merchantId: string;
            /**
             * @description The environment of the API key: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The id of the API key (`key_…`) that signed the request, or that of the payment intent (`pi_…`) whose checkout page sent it. */
            apiKeyId: string;
            /** @description The IP address of the client, as `TRUST_PROXY` lets proxies say it. */
            address: string;
            /** @description The HTTP method, such as `POST`. */
            method: string;
            /** @description The path, without the query: `/api/v1/payment-intents`. */
            path: string;
            /**
             * Format: int64
             * @description The HTTP status of the response.
             */
            status: number;
            /** @description The error code of the response, one of `ErrorCode`; null if it was a success. */
            code: string | null;
            /**
             * Format: int64
             * @description How long the response took, in milliseconds.
             */
            durationMs: number;
            /** @description The JSON body of the request without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON. */
            requestBody: unknown;
            /** @description The JSON body of the response without card data, personal data and secrets; null without a body. `{"omitted": …, "bytes": …}` stands for a body that was too large to keep, or was not JSON. */
            responseBody: unknown;
            /**
             * Format: date-time
             * @description When the request arrived; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description The health of a provider: the account's attempts of the last hour, and the circuit breaker. */
        ProviderHealth: {
            /** @description The name of the provider, which names its health. */
            id: string;
            /** @description The name of the provider. */
            provider: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "provider_health";
            /**
             * @description The environment of the API key: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: int64
             * @description How far back the account's payment intents are counted, in seconds.
             */
            windowSeconds: number;
            /**
             * Format: int64
             * @description How many attempts have ended, without those that were canceled.
             */
            attempts: number;
            /**
             * Format: int64
             * @description How many of these attempts the provider approved.
             */
            approved: number;
            /**
             * Format: int64
             * @description How many of these attempts ended without a usable answer, so that nothing was charged.
             */
            unanswered: number;
            /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
            successRate: number | null;
            /** @description How long attempts took from their start to their outcome, tries and waits for the customer included; null without attempts. */
            latency: {
                /**
                 * Format: int64
                 * @description The median, in milliseconds.
                 */
                medianMs: number;
                /**
                 * Format: int64
                 * @description The 95th percentile, in milliseconds.
                 */
                p95Ms: number;
            } | null;
            /** @description The circuit breaker of the environment, which all accounts share. */
            circuit: {
                /**
                 * @description The state of the circuit breaker.
                 *
                 *     - `closed`: the provider is asked as the routes say
                 *     - `open`: the provider is asked last, after failures or slow answers
                 *     - `half_open`: the provider is asked again after failures
                 * @enum {string}
                 */
                state: "closed" | "open" | "half_open";
                /**
                 * Format: date-time
                 * @description When an open circuit ends; ISO 8601 in UTC. Null if it is not open.
                 */
                openUntil: string | null;
                /**
                 * Format: date-time
                 * @description Since when the provider has given no usable answer within 5 s; ISO 8601 in UTC. Null if its last answer was usable and in time.
                 */
                failingSince: string | null;
            };
        };
        /** @description What happened to the account's payments: volume, approval rates, failures and refunds. */
        Statistics: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "statistics";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The currency of the amounts; null where the account has no payment intents and the query names none. */
            currency: string | null;
            /** @description The currencies in which the account has statistics, by their codes. */
            currencies: string[];
            /**
             * @description Into which parts the time is divided: `hour` or `day`, in UTC.
             * @enum {string}
             */
            interval: "hour" | "day";
            /**
             * Format: date-time
             * @description The beginning, included; ISO 8601 in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description The end, excluded; ISO 8601 in UTC.
             */
            to: string;
            /**
             * Format: date-time
             * @description Everything that happened before this time is counted; later events may be missing. ISO 8601 in UTC.
             */
            asOf: string;
            /** @description The figures of the whole time. */
            total: {
                /**
                 * Format: int64
                 * @description How many payment intents were created.
                 */
                paymentsCreated: number;
                /**
                 * Format: int64
                 * @description How many payment intents succeeded, whenever they were created.
                 */
                paymentsSucceeded: number;
                /**
                 * Format: int64
                 * @description How many attempts ended, without those that were canceled: the sum of the next four.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description How many attempts the provider approved.
                 */
                approved: number;
                /**
                 * Format: int64
                 * @description How many attempts were declined.
                 */
                declined: number;
                /**
                 * Format: int64
                 * @description How many attempts failed.
                 */
                failed: number;
                /**
                 * Format: int64
                 * @description How many attempts ended without a usable answer, so that nothing was charged.
                 */
                notCharged: number;
                /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many captures were made.
                 */
                captures: number;
                /**
                 * Format: int64
                 * @description The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
                 */
                amountCaptured: number;
                /**
                 * Format: int64
                 * @description How many refunds succeeded, whenever their payments were captured.
                 */
                refunds: number;
                /**
                 * Format: int64
                 * @description The sum of these refunds, in the currency's minor unit.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description How many refunds failed. One that failed after it had succeeded counts among both.
                 */
                refundsFailed: number;
            };
            /** @description The figures of each interval, oldest first; none is left out. */
            series: {
                /**
                 * Format: date-time
                 * @description When the interval begins; ISO 8601 in UTC.
                 */
                startsAt: string;
                /**
                 * Format: int64
                 * @description How many payment intents were created.
                 */
                paymentsCreated: number;
                /**
                 * Format: int64
                 * @description How many payment intents succeeded, whenever they were created.
                 */
                paymentsSucceeded: number;
                /**
                 * Format: int64
                 * @description How many attempts ended, without those that were canceled: the sum of the next four.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description How many attempts the provider approved.
                 */
                approved: number;
                /**
                 * Format: int64
                 * @description How many attempts were declined.
                 */
                declined: number;
                /**
                 * Format: int64
                 * @description How many attempts failed.
                 */
                failed: number;
                /**
                 * Format: int64
                 * @description How many attempts ended without a usable answer, so that nothing was charged.
                 */
                notCharged: number;
                /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many captures were made.
                 */
                captures: number;
                /**
                 * Format: int64
                 * @description The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
                 */
                amountCaptured: number;
                /**
                 * Format: int64
                 * @description How many refunds succeeded, whenever their payments were captured.
                 */
                refunds: number;
                /**
                 * Format: int64
                 * @description The sum of these refunds, in the currency's minor unit.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description How many refunds failed. One that failed after it had succeeded counts among both.
                 */
                refundsFailed: number;
            }[];
            /** @description The figures of each provider, the most attempts first. */
            byProvider: {
                /** @description The provider's name. */
                provider: string;
                /**
                 * Format: int64
                 * @description How many attempts ended, without those that were canceled: the sum of the next four.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description How many attempts the provider approved.
                 */
                approved: number;
                /**
                 * Format: int64
                 * @description How many attempts were declined.
                 */
                declined: number;
                /**
                 * Format: int64
                 * @description How many attempts failed.
                 */
                failed: number;
                /**
                 * Format: int64
                 * @description How many attempts ended without a usable answer, so that nothing was charged.
                 */
                notCharged: number;
                /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many captures were made.
                 */
                captures: number;
                /**
                 * Format: int64
                 * @description The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
                 */
                amountCaptured: number;
                /**
                 * Format: int64
                 * @description How many refunds succeeded, whenever their payments were captured.
                 */
                refunds: number;
                /**
                 * Format: int64
                 * @description The sum of these refunds, in the currency's minor unit.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description How many refunds failed. One that failed after it had succeeded counts among both.
                 */
                refundsFailed: number;
            }[];
            /** @description The figures of each type of payment method, the most attempts first. */
            byPaymentMethod: {
                /** @description The type of the payment method, such as `card`; null if unknown. */
                paymentMethod: string | null;
                /**
                 * Format: int64
                 * @description How many attempts ended, without those that were canceled: the sum of the next four.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description How many attempts the provider approved.
                 */
                approved: number;
                /**
                 * Format: int64
                 * @description How many attempts were declined.
                 */
                declined: number;
                /**
                 * Format: int64
                 * @description How many attempts failed.
                 */
                failed: number;
                /**
                 * Format: int64
                 * @description How many attempts ended without a usable answer, so that nothing was charged.
                 */
                notCharged: number;
                /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many captures were made.
                 */
                captures: number;
                /**
                 * Format: int64
                 * @description The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
                 */
                amountCaptured: number;
                /**
                 * Format: int64
                 * @description How many refunds succeeded, whenever their payments were captured.
                 */
                refunds: number;
                /**
                 * Format: int64
                 * @description The sum of these refunds, in the currency's minor unit.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description How many refunds failed. One that failed after it had succeeded counts among both.
                 */
                refundsFailed: number;
            }[];
            /** @description The figures of each country, the most attempts first. */
            byCountry: {
                /** @description The country of the payment; null where it names none. */
                country: string | null;
                /**
                 * Format: int64
                 * @description How many attempts ended, without those that were canceled: the sum of the next four.
                 */
                attempts: number;
                /**
                 * Format: int64
                 * @description How many attempts the provider approved.
                 */
                approved: number;
                /**
                 * Format: int64
                 * @description How many attempts were declined.
                 */
                declined: number;
                /**
                 * Format: int64
                 * @description How many attempts failed.
                 */
                failed: number;
                /**
                 * Format: int64
                 * @description How many attempts ended without a usable answer, so that nothing was charged.
                 */
                notCharged: number;
                /** @description The part of the attempts that were approved, from 0 to 1; null without attempts. */
                approvalRate: number | null;
                /**
                 * Format: int64
                 * @description How many captures were made.
                 */
                captures: number;
                /**
                 * Format: int64
                 * @description The volume: the sum of the captures, in the currency's minor unit. Refunds are not subtracted.
                 */
                amountCaptured: number;
                /**
                 * Format: int64
                 * @description How many refunds succeeded, whenever their payments were captured.
                 */
                refunds: number;
                /**
                 * Format: int64
                 * @description The sum of these refunds, in the currency's minor unit.
                 */
                amountRefunded: number;
                /**
                 * Format: int64
                 * @description How many refunds failed. One that failed after it had succeeded counts among both.
                 */
                refundsFailed: number;
            }[];
            /** @description Why attempts were declined, failed or not charged, the most frequent first. */
            failuresByCode: {
                /** @description The error code; null where there is none. */
                code: string | null;
                /**
                 * Format: int64
                 * @description How many attempts ended with it.
                 */
                attempts: number;
            }[];
        };
        /** @description The account's disputes by month, in all currencies, beside what card schemes allow. */
        DisputeStatistics: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "dispute_statistics";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: date-time
             * @description When the first month begins; ISO 8601 in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description When the last month ends, excluded; ISO 8601 in UTC.
             */
            to: string;
            /**
             * Format: date-time
             * @description Everything that happened before this time is counted; later events may be missing. ISO 8601 in UTC.
             */
            asOf: string;
            /** @description From which shares on card schemes act, as published for 2026. What your acquirer reports counts: it looks at the payments of one scheme, and Mastercard divides by those of the month before. */
            thresholds: {
                /**
                 * @description The card scheme.
                 * @enum {string}
                 */
                network: "visa" | "mastercard";
                /** @description What the scheme calls it. */
                programme: string;
                /** @description From which share of the payments of a month on the scheme acts, from 0 to 1. */
                rate: number;
                /**
                 * Format: int64
                 * @description How many disputes of a month there are at least before it acts.
                 */
                minimumDisputes: number;
                /** @description Whether warnings of fraud count as well. */
                countsFraudWarnings: boolean;
            }[];
            /** @description The figures of each month, oldest first; none is left out. */
            months: {
                /**
                 * Format: date-time
                 * @description When the month begins; ISO 8601 in UTC.
                 */
                startsAt: string;
                /**
                 * Format: int64
                 * @description How many captures were made: what card schemes compare disputes with.
                 */
                payments: number;
                /** @description The chargebacks for each capture of the same time; null without captures. */
                chargebackRate: number | null;
                /**
                 * Format: int64
                 * @description How many new disputes began as inquiries.
                 */
                inquiries: number;
                /**
                 * Format: int64
                 * @description How many became chargebacks, from the beginning or after an inquiry.
                 */
                chargebacks: number;
                /**
                 * Format: int64
                 * @description How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
                 */
                won: number;
                /**
                 * Format: int64
                 * @description How many were lost, whenever they began.
                 */
                lost: number;
                /**
                 * Format: int64
                 * @description How many ended without a decision.
                 */
                closed: number;
                /** @description The part of the decided ones that were won, from 0 to 1; null where none was decided. */
                winRate: number | null;
                /**
                 * Format: int64
                 * @description How many payments the issuers of cards have called fraudulent.
                 */
                fraudWarnings: number;
            }[];
            /** @description The figures of each provider, the most chargebacks first. */
            byProvider: {
                /** @description The provider's name. */
                provider: string;
                /**
                 * Format: int64
                 * @description How many captures were made: what card schemes compare disputes with.
                 */
                payments: number;
                /** @description The chargebacks for each capture of the same time; null without captures. */
                chargebackRate: number | null;
                /**
                 * Format: int64
                 * @description How many new disputes began as inquiries.
                 */
                inquiries: number;
                /**
                 * Format: int64
                 * @description How many became chargebacks, from the beginning or after an inquiry.
                 */
                chargebacks: number;
                /**
                 * Format: int64
                 * @description How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
                 */
                won: number;
                /**
                 * Format: int64
                 * @description How many were lost, whenever they began.
                 */
                lost: number;
                /**
                 * Format: int64
                 * @description How many ended without a decision.
                 */
                closed: number;
                /** @description The part of the decided ones that were won, from 0 to 1; null where none was decided. */
                winRate: number | null;
            }[];
            /** @description The figures of each reason, the most chargebacks first. */
            byReason: {
                /**
                 * @description Why customers dispute payments.
                 * @enum {string}
                 */
                reason: "fraudulent" | "unrecognized" | "duplicate" | "product_not_received" | "product_unacceptable" | "credit_not_processed" | "subscription_canceled" | "amount_differs" | "authorization" | "processing_error" | "general";
                /**
                 * Format: int64
                 * @description How many new disputes began as inquiries.
                 */
                inquiries: number;
                /**
                 * Format: int64
                 * @description How many became chargebacks, from the beginning or after an inquiry.
                 */
                chargebacks: number;
                /**
                 * Format: int64
                 * @description How many were won, whenever they began. One that a scheme opens again may count among the lost ones too.
                 */
                won: number;
                /**
                 * Format: int64
                 * @description How many were lost, whenever they began.
                 */
                lost: number;
                /**
                 * Format: int64
                 * @description How many ended without a decision.
                 */
                closed: number;
                /** @description The part of the decided ones that were won, from 0 to 1; null where none was decided. */
                winRate: number | null;
            }[];
        };
        /** @description A comparison of a provider's list of payments with those of the merchant account. */
        ReconciliationRun: {
            /** @description The unique id of the run, which begins with `rec_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "reconciliation_run";
            /** @description The id of the merchant account (`mer_…`) whose payments are counted. */
            merchantId: string;
            /**
             * @description The environment of the merchant account: `sandbox` or `production`.
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The name of the provider. */
            provider: string;
            /**
             * @description How far the run is.
             *
             *     - `running`: payments are being compared
             *     - `completed`: all payments were compared
             *     - `failed`: the provider could not be asked to the end, and `failure` says why; the next run covers the rest
             * @enum {string}
             */
            status: "running" | "completed" | "failed";
            /** @description Why the run failed; null unless `status` is `failed`. */
            failure: {
                /**
                 * @description What made it fail.
                 *
                 *     - `TSP_UNAVAILABLE`: The provider could not be reached for an hour, or refused to answer. Test the credentials of an account of your own. The next run covers these payments too.
                 *     - `TSP_TIMEOUT`: For an hour the provider did not answer in time. The next run covers these payments too.
                 *     - `TSP_ERROR`: For an hour the provider answered with errors, or with what the engine cannot read. The next run covers these payments too.
                 *     - `CANNOT_LIST`: The provider was disabled or removed during the run, or can no longer be asked for payments. Compare with its own reports.
                 *     - `INTERRUPTED`: The run was ended before it had compared everything. The next run covers these payments too.
                 *     - `INTERNAL_ERROR`: The engine could not compare these payments. The next run covers them too; if it fails as well, tell support the id of the run.
                 * @enum {string}
                 */
                code: "TSP_UNAVAILABLE" | "TSP_TIMEOUT" | "TSP_ERROR" | "CANNOT_LIST" | "INTERRUPTED" | "INTERNAL_ERROR";
                /** @description The same as a sentence that says what to do. */
                message: string;
            } | null;
            /**
             * Format: date-time
             * @description Payments that were created or changed from this time on are compared; ISO 8601 in UTC.
             */
            from: string;
            /**
             * Format: date-time
             * @description Payments that were created or changed up to this time are compared; ISO 8601 in UTC.
             */
            to: string;
            /**
             * Format: int64
             * @description How many of the merchant account's payments were compared.
             */
            compared: number;
            /**
             * Format: int64
             * @description How many differences about them were repaired.
             */
            repaired: number;
            /**
             * Format: int64
             * @description How many differences about them were reported only.
             */
            reported: number;
            /**
             * Format: date-time
             * @description When it started; ISO 8601 in UTC, with milliseconds.
             */
            startedAt: string;
            /**
             * Format: date-time
             * @description When it ended; ISO 8601 in UTC, with milliseconds. Null while it is running.
             */
            finishedAt: string | null;
        };
        /** @description An address that events are posted to, without its secret. */
        WebhookEndpoint: {
            /** @description The unique id of the webhook endpoint, which begins with `whe_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /** @description The address that events are posted to, up to 2,048 characters. In production it must use HTTPS and be on the public internet. */
            url: string;
            /** @description A text of your own about the endpoint, up to 1,000 characters; null without one. */
            description: string | null;
            /**
             * @description The types of the events that are sent to the endpoint, each once; `*` for every type.
             *
             *     - `*`: every type
             *     - `payment_intent.created`: a payment intent was created
             *     - `payment_intent.processing`: a confirm was accepted, and providers are being called
             *     - `payment_intent.requires_action`: the customer has to act; `nextAction` says what to do
             *     - `payment_intent.amount_capturable`: money is held and can be captured; `amountCapturable` says how much
             *     - `payment_intent.succeeded`: the payment was captured, in rare cases again after its capture had failed
             *     - `payment_intent.amount_captured_changed`: the provider reports that a part of the captured money did not arrive after all, or that it has captured more; `status` stays `succeeded`, and `amountCaptured` is the new sum
             *     - `payment_intent.payment_failed`: a confirm failed, or the provider reports that money which it had captured did not arrive after all (`status` becomes `failed`, and nothing counts as captured); `lastError` says why, and `status` whether the payment can be confirmed again
             *     - `payment_intent.stuck`: the payment has been processing for unusually long, and continues; `advisory` says since when
             *     - `payment_intent.waiting_for_provider`: an operation of the payment has waited for its provider for minutes, and continues; `advisory` says which, and since when
             *     - `payment_intent.canceled`: the payment intent was canceled; `cancellationReason` says why
             *     - `payment_intent.expired`: the payment intent was not paid before `expiresAt`
             *     - `payment_intent.refunded`: the sum of refunds has changed, after a refund succeeded or, in rare cases, failed after that; `amountRefunded` is the new sum
             *     - `payment_intent.stray_charge_reversed`: a provider had charged an attempt that had ended without a charge, and has returned the money; see `strayCharge`
             *     - `payment_intent.fraud_warning`: the card's issuer calls the payment fraudulent, and no money has moved; `fraudWarning` says more. A refund may prevent a chargeback
             *     - `refund.created`: a refund was accepted and is being sent to the provider, or the provider reports one that nobody requested here (`origin`)
             *     - `refund.waiting_for_provider`: the refund has waited for its provider for unusually long, and continues; `advisory` says since when
             *     - `refund.succeeded`: the provider refunded the money
             *     - `refund.failed`: the refund failed, in rare cases after it had succeeded; `failure` says why
             *     - `transaction.created`: money moved or was held
             *     - `payment_method.saved`: a card was saved for a customer, by a payment that was approved; or saved again
             *     - `payment_method.updated`: a saved payment method was changed, or a provider has issued a token for it
             *     - `payment_method.invalidated`: a saved payment method cannot be charged any more; `statusReason` says why
             *     - `payment_method.detached`: a saved payment method was removed, and its card number erased; `statusReason` says why
             *     - `dispute.created`: the customer's bank asks about a payment, or takes its money back; `stage` says how far it is
             *     - `dispute.updated`: the provider reports something new about a dispute, or it is being answered; `status` and `lastError` say more
             *     - `dispute.response_due`: the time to answer a dispute ends in less than 72 or 24 hours; `respondBy` says when
             *     - `dispute.funds_withdrawn`: the provider has taken the disputed amount; it cannot be refunded any more
             *     - `dispute.funds_reinstated`: the provider has given the disputed amount back
             *     - `dispute.closed`: a dispute has ended; `status` says how. A card scheme may open one again that was won
             *     - `provider_account.credentials_refused`: a provider refuses the credentials of an account, so that payments there fail; replace them, `credentialsRefusedSince` says since when
             *     - `provider_account.credentials_accepted`: a provider accepts the credentials of an account again
             *     - `reconciliation.difference_found`: a provider's list of payments differs from the engine's, and nothing was changed; `ours` and `theirs` say how
             *     - `settlement.created`: a provider pays to the merchant's bank, and all entries of the settlement are known
             *     - `settlement.paid`: a provider says that it has paid a settlement
             *     - `settlement.failed`: the payment of a settlement to the bank failed, or the bank has returned it
             *     - `settlement.difference_found`: an entry of a settlement does not agree with the transactions, or a transaction was not settled in time; `details` says more
             *     - `card_testing.suspected`: so many cards were declined in an hour that somebody may be testing stolen ones; at most one such event an hour for an account. Look at the newest declines, and protect your checkout page
             *     - `webhook_endpoint.failing`: so many attempts in a row have failed that the events of a webhook endpoint wait until it answers a probe; `nextProbeAt` says when the next one comes
             *     - `webhook_endpoint.recovered`: a failing webhook endpoint took an event again, and gets those that have waited
             *     - `webhook_endpoint.disabled`: the engine disabled a webhook endpoint; `disabledReason` says why
             */
            enabledEvents: ("*" | "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.amount_captured_changed" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.waiting_for_provider" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.refunded" | "payment_intent.stray_charge_reversed" | "payment_intent.fraud_warning" | "refund.created" | "refund.waiting_for_provider" | "refund.succeeded" | "refund.failed" | "transaction.created" | "payment_method.saved" | "payment_method.updated" | "payment_method.invalidated" | "payment_method.detached" | "dispute.created" | "dispute.updated" | "dispute.response_due" | "dispute.funds_withdrawn" | "dispute.funds_reinstated" | "dispute.closed" | "provider_account.credentials_refused" | "provider_account.credentials_accepted" | "reconciliation.difference_found" | "settlement.created" | "settlement.paid" | "settlement.failed" | "settlement.difference_found" | "card_testing.suspected" | "webhook_endpoint.failing" | "webhook_endpoint.recovered" | "webhook_endpoint.disabled" | "webhook_endpoint.test")[];
            /**
             * @description Whether events are sent to the endpoint.
             *
             *     - `enabled`: they are
             *     - `disabled`: they are not; `disabledReason` says why
             * @enum {string}
             */
            status: "enabled" | "disabled";
            /**
             * @description Why it is disabled; null while it is enabled.
             *
             *     - `by_merchant`: a request disabled it
             *     - `gone`: it answered with status 410
             *     - `failing`: every attempt failed for five days
             * @enum {string|null}
             */
            disabledReason: "by_merchant" | "gone" | "failing" | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is enabled.
             */
            disabledAt: string | null;
            /**
             * Format: date-time
             * @description Since when every attempt has failed, if so many have that the endpoint counts as failing; null otherwise. Its events then wait, and one of them is sent now and then as a probe.
             */
            failingSince: string | null;
            /**
             * Format: date-time
             * @description When the next probe of a failing endpoint is made, at the earliest; null unless it counts as failing.
             */
            nextProbeAt: string | null;
            /**
             * Format: int64
             * @description How many deliveries to the endpoint have not ended, at most 10,000; null in events and in the audit log.
             */
            pendingDeliveries: number | null;
            /**
             * Format: date-time
             * @description Since when the oldest of these has waited; null if there is none.
             */
            oldestPendingAt: string | null;
            /** @description The deliveries that began within the last 24 hours: how many there are, and how many of them were delivered, each of at most 10,000 of a status. Null in events and in the audit log. */
            recentDeliveries: {
                /**
                 * Format: int64
                 * @description How many deliveries began.
                 */
                total: number;
                /**
                 * Format: int64
                 * @description How many of them were delivered.
                 */
                delivered: number;
            } | null;
            /**
             * Format: date-time
             * @description When an event was last delivered; null if none was.
             */
            lastSuccessAt: string | null;
            /**
             * Format: date-time
             * @description When an attempt last failed; null if none did.
             */
            lastFailureAt: string | null;
            /** @description A short description of the last failure, such as `status 500` or `timeout`; null if there was none. */
            lastFailure: string | null;
            /**
             * Format: date-time
             * @description Until when webhooks are signed with an earlier secret too, after rotations: each signs until its own overlap ends, this is the last end. Null if none signs.
             */
            previousSecretExpiresAt: string | null;
            /** @description Who made it: a person in the dashboard, or a request with an API key; null for what the operator or the engine itself made. */
            createdBy: {
                /**
                 * @description What made it.
                 *
                 *     - `person`: a person, in the dashboard
                 *     - `api_key`: a request with an API key
                 * @enum {string}
                 */
                type: "person" | "api_key";
                /** @description The id of the person (`per_…`) or of the key (`key_…`). */
                id: string;
            } | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
        };
        /** @description A test event that is being delivered. */
        WebhookTest: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_test";
            /** @description The id of the test event (`evt_…`); `GET /events/{id}/deliveries` has the result. */
            eventId: string;
            /** @description The id of the endpoint (`whe_…`) that it is sent to. */
            webhookEndpointId: string;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
        };
        /** @description The confirmation that it is deleted. */
        DeletedWebhookEndpoint: {
            /** @description The id of what was deleted. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Always true: it no longer exists. */
            deleted: boolean;
        };
        /** @description The test clock of a sandbox account: by how much older its payments were made. */
        TestClock: {
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "test_clock";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description Always `sandbox`: production has no test clocks.
             * @constant
             */
            environment: "sandbox";
            /**
             * @description How far the open payments are.
             *
             *     - `ready`: every open payment has followed the clock
             *     - `advancing`: open payments are being made older; read the clock again until it is `ready`
             * @enum {string}
             */
            status: "ready" | "advancing";
            /**
             * Format: int64
             * @description By how much the clock was advanced in all.
             */
            advancedSeconds: number;
            /**
             * Format: date-time
             * @description When it was advanced last; ISO 8601 in UTC. Null if it never was.
             */
            advancedAt: string | null;
        };
        /** @description A payment intent after a failure; if the failed request created it, with its client secret. */
        FailedPaymentIntent: {
            /** @description The unique id of the payment intent, which begins with `pi_`. */
            id: string;
            /**
             * @description The type of the object; always this value.
             * @constant
             */
            object: "payment_intent";
            /** @description The id of the merchant account (`mer_…`) that owns it. */
            merchantId: string;
            /**
             * @description The environment of the API key it was created with.
             *
             *     - `sandbox`: simulated providers, no real money; keys begin with `svc_test_`
             *     - `production`: real providers and real money; keys begin with `svc_live_`
             * @enum {string}
             */
            environment: "sandbox" | "production";
            /**
             * Format: int64
             * @description What is to be paid, in the currency's minor unit; 1 to 99,999,999,999: 1999 is 19.99 EUR, 1999 JPY or 1.999 KWD.
             */
            amount: number;
            /** @description The currency of all amounts of the payment, as its ISO 4217 code: `EUR`. */
            currency: string;
            /**
             * Format: int64
             * @description How much is held and can be captured, in the currency's minor unit.
             */
            amountCapturable: number;
            /**
             * Format: int64
             * @description How much was captured, in the currency's minor unit; refunds do not reduce it.
             */
            amountCaptured: number;
            /**
             * Format: int64
             * @description How much of the captured amount was refunded, in the currency's minor unit.
             */
            amountRefunded: number;
            /**
             * Format: int64
             * @description How much of the captured amount cannot be refunded because of disputes, in the currency's minor unit. Pages always get 0.
             */
            amountDisputed: number;
            /**
             * @description The state of the payment.
             *
             *     - `requires_payment_method`: not confirmed yet, or the last confirm failed; confirm it with a payment method
             *     - `processing`: a provider is being called, or the outcome is awaited
             *     - `requires_action`: the customer has to act, as `nextAction` says
             *     - `requires_capture`: the money is held; capture or cancel it
             *     - `succeeded`: the money was captured
             *     - `failed`: refused for good; create another payment intent to try again
             *     - `canceled`: canceled, by you or by the engine; `cancellationReason` says why
             *     - `expired`: not paid before `expiresAt`
             * @enum {string}
             */
            status: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
            /** @description Your own identifier, such as an order number: 1 to 100 printable ASCII characters, without spaces at its ends; null without one. It need not be unique. Put no personal data in it; card numbers are refused. */
            reference: string | null;
            /** @description A text of your own about the payment, up to 1,000 characters; null without one. */
            description: string | null;
            /** @description The id of the customer (`cus_…`) who pays; null without one. */
            customerId: string | null;
            /** @description Where the customer pays from, as an ISO 3166-1 alpha-2 code: `DE`. It selects payment routes. Null if it is not known; the country of `customerId` is then used, and without either, the routes' countries are ignored. */
            country: string | null;
            /**
             * @description When the money is taken.
             *
             *     - `automatic`: at once
             *     - `manual`: when you capture it; until then it is held. Deposits of cryptocurrencies are captured at once all the same
             * @enum {string}
             */
            captureMethod: "automatic" | "manual";
            /** @description The payment method of the last confirm, masked; null before the first. */
            paymentMethod: components["schemas"]["MaskedPaymentMethod"] | null;
            /**
             * @description What the card of the payment is saved for, once the payment is approved; null to save nothing. It needs `customerId`, and the customer's agreement: a page saves a card only if its confirm sends this value too.
             *
             *     - `on_session`: to pay again while the customer is present
             *     - `off_session`: also for payments that you make without the customer; a confirm by your server then needs `consent`
             * @enum {string|null}
             */
            setupFutureUsage: "on_session" | "off_session" | null;
            /** @description Whether the page of the payment may list and use the saved payment methods of `customerId`. Send true only if you know that whoever gets the client secret is this customer: signed in at your shop, for example. */
            allowSavedPaymentMethods: boolean;
            /** @description The saved payment method (`spm_…`) that the payment uses, or that its card was saved as; null before it is, and if there is none. */
            savedPaymentMethodId: string | null;
            /**
             * @description Why you charge a saved payment method (`spm_…`) without the customer, who must have agreed to it: its `usage` is `off_session`. Null if the customer is present.
             *
             *     - `recurring`: by an agreed schedule, such as a subscription
             *     - `unscheduled`: when something falls due, such as a top-up
             * @enum {string|null}
             */
            offSession: "recurring" | "unscheduled" | null;
            /** @description What the customer has to do before the payment continues; null unless `status` is `requires_action`. */
            nextAction: components["schemas"]["NextAction"] | null;
            /** @description The provider of the last attempt; null before the first. */
            provider: string | null;
            /** @description Every route that was tried for the payment, over all its confirms, oldest first. */
            attempts: components["schemas"]["PaymentAttempt"][];
            /** @description Why the last confirm, capture or cancellation failed; null if it did not. */
            lastError: components["schemas"]["LastError"] | null;
            /** @description Why the last attempt that was declined or failed did not pay, whatever came after it: it stays when the payment expires, is canceled or succeeds. Null if none was. Pages always get null. */
            lastDecline: components["schemas"]["LastDecline"] | null;
            /** @description A notice that the payment takes unusually long; null otherwise. It does not change the state. */
            advisory: components["schemas"]["Advisory"] | null;
            /**
             * @description Why the payment was canceled; null unless `status` is `canceled`.
             *
             *     - `requested_by_customer`: the customer asked for it
             *     - `duplicate`: it was the same payment as another
             *     - `fraudulent`: it is suspected of fraud
             *     - `abandoned`: the customer left
             *     - `requested_by_operator`: the platform canceled it
             *     - `retries_exhausted`: every attempt that it may make was used up
             *     - `authorization_lapsed`: the money was held for too long without a capture, and is released
             * @enum {string|null}
             */
            cancellationReason: "requested_by_customer" | "duplicate" | "fraudulent" | "abandoned" | "requested_by_operator" | "retries_exhausted" | "authorization_lapsed" | null;
            /** @description Up to 50 pairs of strings for your own use, such as an order number. A key has up to 100 characters, a value up to 1,000. Card numbers are refused. */
            metadata: {
                [key: string]: string;
            };
            /** @description The ids of the disputes (`dp_…`) of the payment, in the order in which they were reported. Pages always get none. */
            disputeIds: string[];
            /**
             * Format: date-time
             * @description When a provider first reported a dispute of the payment, or warned of fraud; null if it never did.
             */
            disputedAt: string | null;
            /**
             * Format: date-time
             * @description Until when the held money can be captured; ISO 8601 in UTC. Then the hold is voided and the payment canceled. The provider and the card scheme decide how long that is. Null unless `status` is `requires_capture`. Pages always get null.
             */
            captureBefore: string | null;
            /**
             * Format: date-time
             * @description When the payment expires unless it is paid or being processed; ISO 8601 in UTC. Null once it cannot expire: when the money is held, and when the payment has succeeded, failed or was canceled.
             */
            expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was created; ISO 8601 in UTC, with milliseconds.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it last changed; ISO 8601 in UTC, with milliseconds.
             */
            updatedAt: string;
            /** @description The workflow in the Temporal UI. Present only where a key with the scope `support:read` reads or lists the resource. */
            workflowUrl?: string;
            /** @description The secret for the checkout page of this payment, which may read, confirm and follow it. Do not log or store it. */
            clientSecret?: string;
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what has this reference, compared exactly. */
                reference?: string;
                /** @description Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects amounts from this one on, in the currency's minor unit. */
                amountMin?: number;
                /** @description Selects amounts up to and including this one, in the currency's minor unit. */
                amountMax?: number;
                /** @description Selects the payment intents that this id belongs to: their own id, or that of an attempt, a transaction, a refund or a customer, or one that a provider gave a payment or a refund. */
                id?: string;
                /** @description Selects by the last four digits of a card: of the last one, or of any that was tried. */
                last4?: string;
                /** @description Selects the payment intents that have failed with this code: of an attempt, or of a `lastError` that they have or had. */
                errorCode?: string;
                /** @description Selects the payment intents in this state. */
                status?: "requires_payment_method" | "processing" | "requires_action" | "requires_capture" | "succeeded" | "failed" | "canceled" | "expired";
                /** @description Selects the payment intents of the customer with this id. */
                customerId?: string;
                /** @description Selects the payment intents in this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Selects the payment intents that the page of the payment link with this id (`plink_…`) has opened. */
                paymentLinkId?: string;
                /** @description Selects the payment intents of which a confirm has gone on after a decline, at another provider or with 3-D Secure (`true`), or none has (`false`). */
                retried?: "true" | "false";
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
    updatePaymentIntent: {
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
                "application/json": components["schemas"]["UpdatePaymentIntentRequest"];
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
    listUsableSavedPaymentMethods: {
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
                    "application/json": components["schemas"]["UsableSavedPaymentMethodListResponse"];
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
    askProvider: {
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
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAnswerResponse"];
                };
            };
        };
    };
    resolvePaymentIntentByHand: {
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
                "application/json": components["schemas"]["ResolvePaymentIntentByHandRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualResolutionResponse"];
                };
            };
        };
    };
    resolveStrayChargeByHand: {
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
                "application/json": components["schemas"]["ResolveStrayChargeByHandRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualResolutionResponse"];
                };
            };
        };
    };
    listPaymentLinks: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects what has this reference, compared exactly. */
                reference?: string;
                /** @description Selects the links that are active, or those that were deactivated. */
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
                    "application/json": components["schemas"]["PaymentLinkPage"];
                };
            };
        };
    };
    createPaymentLink: {
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
                "application/json": components["schemas"]["CreatePaymentLinkRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    getPaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description Names the resource. */
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
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    updatePaymentLink: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description Names the resource. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdatePaymentLinkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentLinkResponse"];
                };
            };
        };
    };
    listCustomers: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects what has this reference, compared exactly. */
                reference?: string;
                /** @description Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Selects the customers with this e-mail address, compared without case. */
                email?: string;
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
    listSavedPaymentMethods: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the saved payment methods of the customer with this id. */
                customerId?: string;
                /** @description Selects those in this state. */
                status?: "active" | "invalid" | "detached";
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
                    "application/json": components["schemas"]["SavedPaymentMethodPage"];
                };
            };
        };
    };
    getSavedPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `spm_`. */
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
                    "application/json": components["schemas"]["SavedPaymentMethodResponse"];
                };
            };
        };
    };
    removeSavedPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `spm_`. */
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
                    "application/json": components["schemas"]["SavedPaymentMethodResponse"];
                };
            };
        };
    };
    updateSavedPaymentMethod: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `spm_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSavedPaymentMethodRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedPaymentMethodResponse"];
                };
            };
        };
    };
    listMerchantAccounts: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
                "application/json": components["schemas"]["AskProviderRequest"];
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
                "application/json": components["schemas"]["AskProviderRequest"];
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
                "application/json": components["schemas"]["AskProviderRequest"];
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
    listApiKeyCreatedResources: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
            };
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
                    "application/json": components["schemas"]["CreatedResourcePage"];
                };
            };
        };
    };
    listProviderAccounts: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the accounts at this provider. */
                kind?: "simulator" | "stripe" | "adyen" | "cashfree" | "evm";
                /** @description Selects the accounts with this status. */
                status?: "active" | "disabled";
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
                    "application/json": components["schemas"]["ProviderAccountPage"];
                };
            };
        };
    };
    createProviderAccount: {
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
                "application/json": components["schemas"]["CreateProviderAccountRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAccountResponse"];
                };
            };
        };
    };
    getProviderKinds: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["ProviderKindsResponse"];
                };
            };
        };
    };
    getProviderAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with its kind, such as `simulator`. */
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
                    "application/json": components["schemas"]["ProviderAccountResponse"];
                };
            };
        };
    };
    deleteProviderAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with its kind, such as `simulator`. */
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
                    "application/json": components["schemas"]["DeletedProviderAccountResponse"];
                };
            };
        };
    };
    updateProviderAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with its kind, such as `simulator`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateProviderAccountRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAccountResponse"];
                };
            };
        };
    };
    rotateProviderAccountCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with its kind, such as `simulator`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateProviderAccountCredentialsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAccountResponse"];
                };
            };
        };
    };
    testProviderAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with its kind, such as `simulator`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderAccountTestResponse"];
                };
            };
        };
    };
    listPaymentRoutes: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the routes to this provider. */
                provider?: string;
                /** @description Selects the routes of this payment method. */
                paymentMethod?: "card" | "upi" | "crypto";
                /** @description Selects the routes that accept this currency. */
                currency?: components["schemas"]["Currency"];
                /** @description Selects the routes that accept this country. */
                country?: components["schemas"]["Country"];
                /** @description Selects the routes that are active (`true`) or not (`false`). */
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
    listCardGroups: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
                    "application/json": components["schemas"]["CardGroupPage"];
                };
            };
        };
    };
    createCardGroup: {
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
                "application/json": components["schemas"]["CreateCardGroupRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardGroupResponse"];
                };
            };
        };
    };
    getCardGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `crdg_`. */
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
                    "application/json": components["schemas"]["CardGroupResponse"];
                };
            };
        };
    };
    deleteCardGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `crdg_`. */
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
                    "application/json": components["schemas"]["DeletedCardGroupResponse"];
                };
            };
        };
    };
    updateCardGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `crdg_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateCardGroupRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardGroupResponse"];
                };
            };
        };
    };
    listRouteSets: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
                    "application/json": components["schemas"]["RouteSetPage"];
                };
            };
        };
    };
    createRouteSet: {
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
                "application/json": components["schemas"]["CreateRouteSetRequest"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRouteSetResultResponse"];
                };
            };
        };
    };
    getRouteSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `rset_`. */
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
                    "application/json": components["schemas"]["CreateRouteSetResultResponse"];
                };
            };
        };
    };
    activateRouteSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `rset_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ActivateRouteSetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateRouteSetResultResponse"];
                };
            };
        };
    };
    backTestRouteSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `rset_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BackTestRouteSetRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouteBackTestResponse"];
                };
            };
        };
    };
    getRoutingSetting: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The payment method: `card`, `upi` or `crypto`. */
                paymentMethod: "card" | "upi" | "crypto";
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
                    "application/json": components["schemas"]["RoutingSettingResponse"];
                };
            };
        };
    };
    putRoutingSetting: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The payment method: `card`, `upi` or `crypto`. */
                paymentMethod: "card" | "upi" | "crypto";
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutRoutingSettingRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RoutingSettingResponse"];
                };
            };
        };
    };
    listChannelLimits: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the limits of this payment method. */
                paymentMethod?: "card" | "upi" | "crypto";
                /** @description Selects the limits in this currency. */
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
                /** @description The payment method: `card`, `upi` or `crypto`. */
                paymentMethod: "card" | "upi" | "crypto";
                /** @description The currency as its ISO 4217 code, in upper case: `EUR`. */
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
                /** @description The payment method: `card`, `upi` or `crypto`. */
                paymentMethod: "card" | "upi" | "crypto";
                /** @description The currency as its ISO 4217 code, in upper case: `EUR`. */
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects what has this reference, compared exactly. */
                reference?: string;
                /** @description Selects what has all of these pairs, compared exactly: `metadata[key]=value`, up to 10 times. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Selects the refunds of the payment intent with this id. */
                paymentIntentId?: string;
                /** @description Selects the refunds in this state. */
                status?: "pending" | "succeeded" | "failed";
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
    resolveRefundByHand: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `re_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveRefundByHandRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManualResolutionResponse"];
                };
            };
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the disputes with this status. */
                status?: "needs_response" | "under_review" | "won" | "lost" | "closed" | "submitting" | "accepting";
                /** @description Selects the disputes at this stage. */
                stage?: "inquiry" | "chargeback" | "pre_arbitration" | "arbitration";
                /** @description Selects the disputes for this reason. */
                reason?: "fraudulent" | "unrecognized" | "duplicate" | "product_not_received" | "product_unacceptable" | "credit_not_processed" | "subscription_canceled" | "amount_differs" | "authorization" | "processing_error" | "general";
                /** @description Selects the disputes at this provider. */
                provider?: string;
                /** @description Selects the disputes that can be answered until a time before this one; ISO 8601 with time zone. */
                respondByBefore?: string;
                /** @description Selects the disputes of the payment intent with this id. */
                paymentIntentId?: string;
                /**
                 * @description The order; newest first without it, as in a CSV file. It takes `page`.
                 *
                 *     - `respond_by`: the disputes that need an answer come first, in the order in which their time to answer ends; the others follow, newest first
                 */
                sort?: "respond_by";
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
                    "application/json": components["schemas"]["DisputePage"];
                };
            };
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
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
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    updateDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateDisputeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    uploadDisputeFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadDisputeFileRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    deleteDisputeFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
                id: string;
                /** @description The id of the resource, which begins with `dp_`. */
                kind: string;
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
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    submitDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    acceptDispute: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `dp_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["AskProviderRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
        };
    };
    listSettlements: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the settlements of this provider. */
                provider?: string;
                /** @description Selects the settlements with this status. */
                status?: "open" | "paid" | "failed" | "returned";
                /** @description Selects the settlements in this currency, by its ISO 4217 code. */
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
                    "application/json": components["schemas"]["SettlementPage"];
                };
            };
        };
    };
    getSettlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `stl_`. */
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
                    "application/json": components["schemas"]["SettlementResponse"];
                };
            };
        };
    };
    confirmSettlement: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
                /** @description Makes the request safe to retry: for 24 hours a repeat with the same key gets the stored response. */
                "X-Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The id of the resource, which begins with `stl_`. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmSettlementRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementResponse"];
                };
            };
        };
    };
    listSettlementEntries: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the entries of the settlement with this id. */
                settlementId?: string;
                /** @description Selects the entries that match in this way. */
                match?: "matched" | "expected" | "missing" | "unknown" | "amount_differs" | "currency_differs" | "duplicate";
                /** @description Selects the entries of this type. */
                type?: "payment" | "refund" | "chargeback" | "chargeback_reversal" | "fee" | "adjustment" | "reserve" | "fx" | "transfer" | "other";
                /** @description Selects the entries of the transaction with this id. */
                transactionId?: string;
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
                    "application/json": components["schemas"]["SettlementEntryPage"];
                };
            };
        };
    };
    getSettlementEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the entry, which begins with `ste_`. */
                entryId: string;
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
                    "application/json": components["schemas"]["SettlementEntryResponse"];
                };
            };
        };
    };
    resolveSettlementEntry: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the entry, which begins with `ste_`. */
                entryId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveSettlementEntryRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementEntryResponse"];
                };
            };
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the transactions of the payment intent with this id. */
                paymentIntentId?: string;
                /** @description Selects the transactions of this type. */
                type?: "authorization" | "capture" | "void" | "refund" | "capture_reversal" | "chargeback" | "chargeback_reversal";
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the events of this type. */
                type?: "payment_intent.created" | "payment_intent.processing" | "payment_intent.requires_action" | "payment_intent.amount_capturable" | "payment_intent.succeeded" | "payment_intent.amount_captured_changed" | "payment_intent.payment_failed" | "payment_intent.stuck" | "payment_intent.waiting_for_provider" | "payment_intent.canceled" | "payment_intent.expired" | "payment_intent.refunded" | "payment_intent.stray_charge_reversed" | "payment_intent.fraud_warning" | "refund.created" | "refund.waiting_for_provider" | "refund.succeeded" | "refund.failed" | "transaction.created" | "payment_method.saved" | "payment_method.updated" | "payment_method.invalidated" | "payment_method.detached" | "dispute.created" | "dispute.updated" | "dispute.response_due" | "dispute.funds_withdrawn" | "dispute.funds_reinstated" | "dispute.closed" | "provider_account.credentials_refused" | "provider_account.credentials_accepted" | "reconciliation.difference_found" | "settlement.created" | "settlement.paid" | "settlement.failed" | "settlement.difference_found" | "card_testing.suspected" | "webhook_endpoint.failing" | "webhook_endpoint.recovered" | "webhook_endpoint.disabled" | "webhook_endpoint.test";
                /** @description Selects the events about the payment intent, refund, transaction, dispute, account at a provider, saved payment method, webhook endpoint, reconciliation difference, settlement or entry of one with this id. */
                resourceId?: string;
                /** @description The id of an event: selects the later events, **oldest first**, so that nothing is missed while reading on. */
                after?: string;
                /** @description The id of an event: selects the earlier events. To read beyond the last page, set it to the id of the last event. */
                before?: string;
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
    redeliverMissedEvents: {
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
                "application/json": components["schemas"]["RedeliverMissedEventsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookMissedRedeliveryResponse"];
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the changes of this kind. */
                action?: "api_key.created" | "api_key.updated" | "api_key.rotated" | "api_key.revoked" | "merchant_account.created" | "merchant_account.updated" | "merchant_account.suspended" | "merchant_account.activated" | "payment_route.created" | "payment_route.updated" | "payment_route.deleted" | "card_group.created" | "card_group.updated" | "card_group.deleted" | "route_set.created" | "route_set.activated" | "routing_setting.updated" | "channel_limit.created" | "channel_limit.updated" | "channel_limit.deleted" | "webhook_endpoint.created" | "webhook_endpoint.updated" | "webhook_endpoint.disabled" | "webhook_endpoint.secret_rotated" | "webhook_endpoint.deleted" | "provider_account.created" | "provider_account.updated" | "provider_account.credentials_rotated" | "test_clock.advanced" | "provider_account.deleted" | "payment_link.created" | "payment_link.updated" | "payment_intent.updated" | "payment_intent.provider_asked" | "payment_intent.resolution_requested" | "payment_intent.resolved_by_hand" | "payment_intent.capture_requested" | "payment_intent.cancel_requested" | "refund.created" | "dispute.submit_requested" | "dispute.accept_requested" | "settlement.bank_confirmed" | "settlement_entry.resolved" | "team.updated" | "team_member.joined" | "team_member.updated" | "team_member.removed" | "team_member.signed_in" | "team_member.sign_in_failed" | "team_member.locked_out" | "team_member.session_ended" | "team_member.password_changed" | "team_member.password_reset_requested" | "team_member.second_factor_enabled" | "team_member.second_factor_disabled" | "team_member.recovery_codes_created" | "invitation.created" | "invitation.resent" | "invitation.deleted";
                /** @description Selects the changes of the resource with this id. */
                resourceId?: string;
                /** @description Selects the changes by the API key or the person with this id, or by the operator with this user name. */
                actorId?: string;
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects what was created at this time or later, so that with `createdBefore` one range begins where another ends. ISO 8601 with a zone, such as `2026-11-01T00:00:00Z`. */
                createdFrom?: string;
                /** @description Selects what was created later than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdAfter?: string;
                /** @description Selects what was created earlier than this time. ISO 8601 with a zone, such as `2026-11-22T12:00:00Z`; the time itself is excluded. */
                createdBefore?: string;
                /** @description Selects the requests that got this HTTP status. */
                status?: number;
                /** @description Selects the requests that got this error code. */
                code?: string;
                /** @description Selects the requests of this path, compared exactly, without the query. */
                path?: string;
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
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
    getStatistics: {
        parameters: {
            query?: {
                /** @description The currency of the amounts; without it, that of the newest payment intent. */
                currency?: components["schemas"]["Currency"];
                /** @description The beginning: ISO 8601 with a zone, such as `2026-11-22T00:00:00Z`. It is rounded down to the beginning of its interval in UTC. Without it, 24 hours before `to`. */
                from?: string;
                /** @description The end: ISO 8601 with a zone. It is rounded up to the end of its interval in UTC. Without it, now. */
                to?: string;
                /**
                 * @description Into which parts the time is divided. Without it, `hour` up to 7 days.
                 *
                 *     - `hour`: hours, of 31 days at most
                 *     - `day`: days in UTC, of 366 days at most
                 */
                interval?: "hour" | "day";
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
                    "application/json": components["schemas"]["StatisticsResponse"];
                };
            };
        };
    };
    getDisputeStatistics: {
        parameters: {
            query?: {
                /** @description How many calendar months of UTC, the running one included. */
                months?: number;
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
                    "application/json": components["schemas"]["DisputeStatisticsResponse"];
                };
            };
        };
    };
    listReconciliationRuns: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the runs of this provider. */
                provider?: string;
                /** @description Selects the runs with this status. */
                status?: "running" | "completed" | "failed";
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
                    "application/json": components["schemas"]["ReconciliationRunPage"];
                };
            };
        };
    };
    getReconciliationRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description The merchant account to act for; without it, the one that the API key was issued to. */
                "X-Merchant-ID"?: components["parameters"]["MerchantId"];
            };
            path: {
                /** @description The id of the resource, which begins with `rec_`. */
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
                    "application/json": components["schemas"]["ReconciliationReportResponse"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
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
                "application/json": components["schemas"]["AskProviderRequest"];
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
    listWebhookEndpointDeliveries: {
        parameters: {
            query?: {
                /** @description The page to return, from 1 to 1,000. Elements that appear on the list or leave it move the others to other pages: to read a whole list, use `startingAfter` instead. */
                page?: number;
                /** @description How many elements a page has, from 1 to 100. */
                limit?: number;
                /** @description The id of an element: returns what follows it on the list, whether or not the filters still select it. To read a whole list, set it to the id of the last element of each response, until one has fewer elements than `limit`. What happens to other elements meanwhile makes none be left out or returned twice. Not together with `page`. */
                startingAfter?: string;
                /** @description Selects the deliveries with this status; `pending` where it is left out. */
                status?: "pending" | "delivered" | "failed" | "canceled";
            };
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
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
        };
    };
    getTestClock: {
        parameters: {
            query?: never;
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
                    "application/json": components["schemas"]["TestClockResponse"];
                };
            };
        };
    };
    advanceTestClock: {
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
                "application/json": components["schemas"]["AdvanceTestClockRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestClockResponse"];
                };
            };
        };
    };
}
