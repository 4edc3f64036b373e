"""The operations of the engine by resource. Written by `npm run generate` from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Unpack

from ..resource import CallOptions, Page, Resource
from ..transport import Transport
from . import types


class PaymentIntents(Resource):
    def create(self, body: types.CreatePaymentIntentRequest, **options: Unpack[CallOptions]) -> types.CreatedPaymentIntent:
        """Create a payment intent, and confirm it at once if requested."""
        return self._send("POST", "/api/v1/payment-intents", {}, options, body=body)

    def list(self, query: types.ListPaymentIntentsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.PaymentIntent]:
        """List payment intents, newest first."""
        return self._send("GET", "/api/v1/payment-intents", {}, options, query=query)

    def iterate(self, query: types.ListPaymentIntentsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.PaymentIntent]:
        """List payment intents, newest first: all pages."""
        return self._iterate("GET", "/api/v1/payment-intents", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.PaymentIntent:
        """Retrieve a payment intent."""
        return self._send("GET", "/api/v1/payment-intents/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdatePaymentIntentRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentIntent:
        """Update a payment intent."""
        return self._send("PATCH", "/api/v1/payment-intents/{id}", {"id": id}, options, body=body or {})

    def create_payment_method(self, id: str, body: types.CreatePaymentMethodRequest, **options: Unpack[CallOptions]) -> types.StoredPaymentMethod:
        """Store a payment method for this payment intent, to be confirmed by its id."""
        return self._send("POST", "/api/v1/payment-intents/{id}/payment-methods", {"id": id}, options, body=body)

    def saved_payment_methods(self, id: str, **options: Unpack[CallOptions]) -> Sequence[types.UsableSavedPaymentMethod]:
        """List the saved payment methods with which the payment's customer can pay, the preferred one first."""
        return self._send("GET", "/api/v1/payment-intents/{id}/saved-payment-methods", {"id": id}, options)

    def confirm(self, id: str, body: types.ConfirmPaymentIntentRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentIntent:
        """Confirm a payment intent: call the providers and wait for the outcome."""
        return self._send("POST", "/api/v1/payment-intents/{id}/confirm", {"id": id}, options, body=body or {})

    def capture(self, id: str, body: types.CapturePaymentIntentRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentIntent:
        """Capture authorized money, once: all of it or a part; the rest is released."""
        return self._send("POST", "/api/v1/payment-intents/{id}/capture", {"id": id}, options, body=body or {})

    def cancel(self, id: str, body: types.CancelPaymentIntentRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentIntent:
        """Cancel a payment intent; an authorization is voided."""
        return self._send("POST", "/api/v1/payment-intents/{id}/cancel", {"id": id}, options, body=body or {})

    def timeline(self, id: str, **options: Unpack[CallOptions]) -> Sequence[types.TimelineLine]:
        """List every decision, attempt, timer and event of a payment, oldest first."""
        return self._send("GET", "/api/v1/payment-intents/{id}/timeline", {"id": id}, options)

    def ask_provider(self, id: str, **options: Unpack[CallOptions]) -> types.ProviderAnswer:
        """Ask the provider at once what became of a payment."""
        return self._send("POST", "/api/v1/payment-intents/{id}/ask-provider", {"id": id}, options)

    def resolve_by_hand(self, id: str, body: types.ResolvePaymentIntentByHandRequest, **options: Unpack[CallOptions]) -> types.ManualResolution:
        """Record what became of a payment whose provider does not say it, or reports another amount."""
        return self._send("POST", "/api/v1/payment-intents/{id}/resolve-by-hand", {"id": id}, options, body=body)

    def resolve_stray_charge_by_hand(self, id: str, body: types.ResolveStrayChargeByHandRequest, **options: Unpack[CallOptions]) -> types.ManualResolution:
        """Record that a stray charge was returned by hand."""
        return self._send("POST", "/api/v1/payment-intents/{id}/resolve-stray-charge-by-hand", {"id": id}, options, body=body)


class PaymentLinks(Resource):
    def create(self, body: types.CreatePaymentLinkRequest, **options: Unpack[CallOptions]) -> types.PaymentLink:
        """Create a payment link: an address at which customers pay an amount."""
        return self._send("POST", "/api/v1/payment-links", {}, options, body=body)

    def list(self, query: types.ListPaymentLinksQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.PaymentLink]:
        """List payment links, newest first."""
        return self._send("GET", "/api/v1/payment-links", {}, options, query=query)

    def iterate(self, query: types.ListPaymentLinksQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.PaymentLink]:
        """List payment links, newest first: all pages."""
        return self._iterate("GET", "/api/v1/payment-links", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.PaymentLink:
        """Retrieve a payment link."""
        return self._send("GET", "/api/v1/payment-links/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdatePaymentLinkRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentLink:
        """Deactivate or activate a payment link, or change its description."""
        return self._send("PATCH", "/api/v1/payment-links/{id}", {"id": id}, options, body=body or {})


class Transactions(Resource):
    def list(self, query: types.ListTransactionsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Transaction]:
        """List transactions, newest first."""
        return self._send("GET", "/api/v1/transactions", {}, options, query=query)

    def iterate(self, query: types.ListTransactionsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Transaction]:
        """List transactions, newest first: all pages."""
        return self._iterate("GET", "/api/v1/transactions", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Transaction:
        """Retrieve a transaction."""
        return self._send("GET", "/api/v1/transactions/{id}", {"id": id}, options)


class Refunds(Resource):
    def create(self, body: types.CreateRefundRequest, **options: Unpack[CallOptions]) -> types.Refund:
        """Refund captured money, in whole or in part."""
        return self._send("POST", "/api/v1/refunds", {}, options, body=body)

    def list(self, query: types.ListRefundsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Refund]:
        """List refunds, newest first."""
        return self._send("GET", "/api/v1/refunds", {}, options, query=query)

    def iterate(self, query: types.ListRefundsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Refund]:
        """List refunds, newest first: all pages."""
        return self._iterate("GET", "/api/v1/refunds", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Refund:
        """Retrieve a refund."""
        return self._send("GET", "/api/v1/refunds/{id}", {"id": id}, options)

    def resolve_by_hand(self, id: str, body: types.ResolveRefundByHandRequest, **options: Unpack[CallOptions]) -> types.ManualResolution:
        """Record what became of a refund whose provider does not say it, or reports another amount."""
        return self._send("POST", "/api/v1/refunds/{id}/resolve-by-hand", {"id": id}, options, body=body)


class Disputes(Resource):
    def list(self, query: types.ListDisputesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Dispute]:
        """List disputes, newest first."""
        return self._send("GET", "/api/v1/disputes", {}, options, query=query)

    def iterate(self, query: types.ListDisputesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Dispute]:
        """List disputes, newest first: all pages."""
        return self._iterate("GET", "/api/v1/disputes", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Dispute:
        """Retrieve a dispute."""
        return self._send("GET", "/api/v1/disputes/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateDisputeRequest, **options: Unpack[CallOptions]) -> types.Dispute:
        """Change the draft of the answer to a dispute."""
        return self._send("PATCH", "/api/v1/disputes/{id}", {"id": id}, options, body=body)

    def upload_file(self, id: str, body: types.UploadDisputeFileRequest, **options: Unpack[CallOptions]) -> types.Dispute:
        """Add a file to the draft of the answer to a dispute."""
        return self._send("POST", "/api/v1/disputes/{id}/files", {"id": id}, options, body=body)

    def delete_file(self, id: str, kind: str, **options: Unpack[CallOptions]) -> types.Dispute:
        """Delete a file of the draft of the answer to a dispute."""
        return self._send("DELETE", "/api/v1/disputes/{id}/files/{kind}", {"id": id, "kind": kind}, options)

    def submit(self, id: str, **options: Unpack[CallOptions]) -> types.Dispute:
        """Send the evidence to the provider, which is final."""
        return self._send("POST", "/api/v1/disputes/{id}/submit", {"id": id}, options)

    def accept(self, id: str, **options: Unpack[CallOptions]) -> types.Dispute:
        """Give up the disputed money, which is final."""
        return self._send("POST", "/api/v1/disputes/{id}/accept", {"id": id}, options)


class Settlements(Resource):
    def list(self, query: types.ListSettlementsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Settlement]:
        """List settlements, newest first."""
        return self._send("GET", "/api/v1/settlements", {}, options, query=query)

    def iterate(self, query: types.ListSettlementsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Settlement]:
        """List settlements, newest first: all pages."""
        return self._iterate("GET", "/api/v1/settlements", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Settlement:
        """Retrieve a settlement."""
        return self._send("GET", "/api/v1/settlements/{id}", {"id": id}, options)

    def confirm(self, id: str, body: types.ConfirmSettlementRequest, **options: Unpack[CallOptions]) -> types.Settlement:
        """Say what the bank statement says of a settlement."""
        return self._send("POST", "/api/v1/settlements/{id}/bank-confirmation", {"id": id}, options, body=body)


class SettlementEntries(Resource):
    def list(self, query: types.ListSettlementEntriesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.SettlementEntry]:
        """List the entries of settlements, newest first."""
        return self._send("GET", "/api/v1/settlement-entries", {}, options, query=query)

    def iterate(self, query: types.ListSettlementEntriesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.SettlementEntry]:
        """List the entries of settlements, newest first: all pages."""
        return self._iterate("GET", "/api/v1/settlement-entries", {}, options, query=query)

    def get(self, entry_id: str, **options: Unpack[CallOptions]) -> types.SettlementEntry:
        """Retrieve an entry of a settlement."""
        return self._send("GET", "/api/v1/settlement-entries/{entryId}", {"entryId": entry_id}, options)

    def update(self, entry_id: str, body: types.ResolveSettlementEntryRequest, **options: Unpack[CallOptions]) -> types.SettlementEntry:
        """End an exception of a settlement, with a note."""
        return self._send("PATCH", "/api/v1/settlement-entries/{entryId}", {"entryId": entry_id}, options, body=body)


class Customers(Resource):
    def create(self, body: types.CreateCustomerRequest | None = None, **options: Unpack[CallOptions]) -> types.Customer:
        """Create a customer."""
        return self._send("POST", "/api/v1/customers", {}, options, body=body or {})

    def list(self, query: types.ListCustomersQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Customer]:
        """List customers, newest first."""
        return self._send("GET", "/api/v1/customers", {}, options, query=query)

    def iterate(self, query: types.ListCustomersQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Customer]:
        """List customers, newest first: all pages."""
        return self._iterate("GET", "/api/v1/customers", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Customer:
        """Retrieve a customer."""
        return self._send("GET", "/api/v1/customers/{id}", {"id": id}, options)

    def replace(self, id: str, body: types.CreateCustomerRequest | None = None, **options: Unpack[CallOptions]) -> types.Customer:
        """Replace all data of a customer."""
        return self._send("PUT", "/api/v1/customers/{id}", {"id": id}, options, body=body or {})

    def update(self, id: str, body: types.UpdateCustomerRequest | None = None, **options: Unpack[CallOptions]) -> types.Customer:
        """Update some fields of a customer."""
        return self._send("PATCH", "/api/v1/customers/{id}", {"id": id}, options, body=body or {})

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.DeletedCustomer:
        """Delete a customer without open payments."""
        return self._send("DELETE", "/api/v1/customers/{id}", {"id": id}, options)


class PaymentMethods(Resource):
    def list(self, query: types.ListSavedPaymentMethodsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.SavedPaymentMethod]:
        """List saved payment methods, newest first."""
        return self._send("GET", "/api/v1/payment-methods", {}, options, query=query)

    def iterate(self, query: types.ListSavedPaymentMethodsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.SavedPaymentMethod]:
        """List saved payment methods, newest first: all pages."""
        return self._iterate("GET", "/api/v1/payment-methods", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.SavedPaymentMethod:
        """Retrieve a saved payment method."""
        return self._send("GET", "/api/v1/payment-methods/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateSavedPaymentMethodRequest | None = None, **options: Unpack[CallOptions]) -> types.SavedPaymentMethod:
        """Update a saved payment method."""
        return self._send("PATCH", "/api/v1/payment-methods/{id}", {"id": id}, options, body=body or {})

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.SavedPaymentMethod:
        """Remove a saved payment method."""
        return self._send("DELETE", "/api/v1/payment-methods/{id}", {"id": id}, options)


class MerchantAccounts(Resource):
    def create(self, body: types.CreateMerchantAccountRequest, **options: Unpack[CallOptions]) -> types.MerchantAccount:
        """Create a merchant account."""
        return self._send("POST", "/api/v1/merchants", {}, options, body=body)

    def list(self, query: types.ListMerchantAccountsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.MerchantAccount]:
        """List the merchant accounts that the key may act for, newest first."""
        return self._send("GET", "/api/v1/merchants", {}, options, query=query)

    def iterate(self, query: types.ListMerchantAccountsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.MerchantAccount]:
        """List the merchant accounts that the key may act for, newest first: all pages."""
        return self._iterate("GET", "/api/v1/merchants", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.MerchantAccount:
        """Retrieve a merchant account."""
        return self._send("GET", "/api/v1/merchants/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateMerchantAccountRequest | None = None, **options: Unpack[CallOptions]) -> types.MerchantAccount:
        """Change a merchant account, and what customers see of it."""
        return self._send("PATCH", "/api/v1/merchants/{id}", {"id": id}, options, body=body or {})

    def suspend(self, id: str, **options: Unpack[CallOptions]) -> types.MerchantAccount:
        """Suspend a merchant account: every request that acts for it is rejected."""
        return self._send("POST", "/api/v1/merchants/{id}/suspend", {"id": id}, options)

    def activate(self, id: str, **options: Unpack[CallOptions]) -> types.MerchantAccount:
        """Activate a suspended merchant account."""
        return self._send("POST", "/api/v1/merchants/{id}/activate", {"id": id}, options)


class ApiKeys(Resource):
    def create(self, body: types.CreateApiKeyRequest, **options: Unpack[CallOptions]) -> types.IssuedApiKey:
        """Create an API key; its secrets are returned only once."""
        return self._send("POST", "/api/v1/api-keys", {}, options, body=body)

    def list(self, query: types.ListApiKeysQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.ApiKey]:
        """List the merchant account's API keys, newest first."""
        return self._send("GET", "/api/v1/api-keys", {}, options, query=query)

    def iterate(self, query: types.ListApiKeysQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ApiKey]:
        """List the merchant account's API keys, newest first: all pages."""
        return self._iterate("GET", "/api/v1/api-keys", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.ApiKey:
        """Retrieve an API key, without its secrets."""
        return self._send("GET", "/api/v1/api-keys/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateApiKeyRequest | None = None, **options: Unpack[CallOptions]) -> types.ApiKey:
        """Change the name, scopes, expiry or address list of an API key."""
        return self._send("PATCH", "/api/v1/api-keys/{id}", {"id": id}, options, body=body or {})

    def revoke(self, id: str, **options: Unpack[CallOptions]) -> types.ApiKey:
        """Revoke an API key for good."""
        return self._send("POST", "/api/v1/api-keys/{id}/revoke", {"id": id}, options)

    def rotate(self, id: str, body: types.RotateApiKeyRequest | None = None, **options: Unpack[CallOptions]) -> types.IssuedApiKey:
        """Rotate an API key: replace it by a new one with the same settings; both are valid for an overlap."""
        return self._send("POST", "/api/v1/api-keys/{id}/rotate", {"id": id}, options, body=body or {})

    def created_resources(self, id: str, query: types.ListApiKeyCreatedResourcesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.CreatedResource]:
        """List what an API key has made that still stands, newest first."""
        return self._send("GET", "/api/v1/api-keys/{id}/created-resources", {"id": id}, options, query=query)

    def iterate_created_resources(self, id: str, query: types.ListApiKeyCreatedResourcesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.CreatedResource]:
        """List what an API key has made that still stands, newest first: all pages."""
        return self._iterate("GET", "/api/v1/api-keys/{id}/created-resources", {"id": id}, options, query=query)


class ProviderAccounts(Resource):
    def create(self, body: types.CreateProviderAccountRequest, **options: Unpack[CallOptions]) -> types.ProviderAccount:
        """Create an account at a provider, with its credentials."""
        return self._send("POST", "/api/v1/provider-accounts", {}, options, body=body)

    def list(self, query: types.ListProviderAccountsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.ProviderAccount]:
        """List the merchant account's accounts at providers, newest first."""
        return self._send("GET", "/api/v1/provider-accounts", {}, options, query=query)

    def iterate(self, query: types.ListProviderAccountsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ProviderAccount]:
        """List the merchant account's accounts at providers, newest first: all pages."""
        return self._iterate("GET", "/api/v1/provider-accounts", {}, options, query=query)

    def kinds(self, **options: Unpack[CallOptions]) -> types.ProviderKinds:
        """Retrieve the providers at which accounts can be created, with the credentials of each."""
        return self._send("GET", "/api/v1/provider-accounts/kinds", {}, options)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.ProviderAccount:
        """Retrieve an account at a provider, without its secrets."""
        return self._send("GET", "/api/v1/provider-accounts/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateProviderAccountRequest | None = None, **options: Unpack[CallOptions]) -> types.ProviderAccount:
        """Rename an account at a provider, or switch it off or on."""
        return self._send("PATCH", "/api/v1/provider-accounts/{id}", {"id": id}, options, body=body or {})

    def rotate(self, id: str, body: types.RotateProviderAccountCredentialsRequest, **options: Unpack[CallOptions]) -> types.ProviderAccount:
        """Replace the credentials of an account at a provider."""
        return self._send("POST", "/api/v1/provider-accounts/{id}/rotate", {"id": id}, options, body=body)

    def test(self, id: str, **options: Unpack[CallOptions]) -> types.ProviderAccountTest:
        """Test whether the credentials of an account at a provider work."""
        return self._send("POST", "/api/v1/provider-accounts/{id}/test", {"id": id}, options)

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.DeletedProviderAccount:
        """Delete an account at a provider, with its credentials."""
        return self._send("DELETE", "/api/v1/provider-accounts/{id}", {"id": id}, options)


class PaymentRoutes(Resource):
    def create(self, body: types.CreatePaymentRouteRequest, **options: Unpack[CallOptions]) -> types.PaymentRoute:
        """Create a payment route."""
        return self._send("POST", "/api/v1/payment-routes", {}, options, body=body)

    def list(self, query: types.ListPaymentRoutesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.PaymentRoute]:
        """List payment routes, newest first."""
        return self._send("GET", "/api/v1/payment-routes", {}, options, query=query)

    def iterate(self, query: types.ListPaymentRoutesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.PaymentRoute]:
        """List payment routes, newest first: all pages."""
        return self._iterate("GET", "/api/v1/payment-routes", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.PaymentRoute:
        """Retrieve a payment route."""
        return self._send("GET", "/api/v1/payment-routes/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdatePaymentRouteRequest | None = None, **options: Unpack[CallOptions]) -> types.PaymentRoute:
        """Change a payment route."""
        return self._send("PATCH", "/api/v1/payment-routes/{id}", {"id": id}, options, body=body or {})

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.DeletedPaymentRoute:
        """Delete a payment route."""
        return self._send("DELETE", "/api/v1/payment-routes/{id}", {"id": id}, options)

    def simulate(self, body: types.SimulatePaymentRoutesRequest, **options: Unpack[CallOptions]) -> types.PaymentRouteSimulation:
        """Simulate which routes a payment would use, and why others are skipped."""
        return self._send("POST", "/api/v1/payment-routes/simulate", {}, options, body=body)


class CardGroups(Resource):
    def create(self, body: types.CreateCardGroupRequest, **options: Unpack[CallOptions]) -> types.CardGroup:
        """Create a group of cards, which routes can ask for."""
        return self._send("POST", "/api/v1/card-groups", {}, options, body=body)

    def list(self, query: types.ListCardGroupsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.CardGroup]:
        """List groups of cards, newest first."""
        return self._send("GET", "/api/v1/card-groups", {}, options, query=query)

    def iterate(self, query: types.ListCardGroupsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.CardGroup]:
        """List groups of cards, newest first: all pages."""
        return self._iterate("GET", "/api/v1/card-groups", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.CardGroup:
        """Retrieve a group of cards."""
        return self._send("GET", "/api/v1/card-groups/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateCardGroupRequest | None = None, **options: Unpack[CallOptions]) -> types.CardGroup:
        """Change a group of cards."""
        return self._send("PATCH", "/api/v1/card-groups/{id}", {"id": id}, options, body=body or {})

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.DeletedCardGroup:
        """Delete a group of cards that no route names."""
        return self._send("DELETE", "/api/v1/card-groups/{id}", {"id": id}, options)


class RouteSets(Resource):
    def create(self, body: types.CreateRouteSetRequest | None = None, **options: Unpack[CallOptions]) -> types.CreateRouteSetResult:
        """Prepare changes of several routes, which apply together once the set is activated."""
        return self._send("POST", "/api/v1/route-sets", {}, options, body=body or {})

    def list(self, query: types.ListRouteSetsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.RouteSet]:
        """List sets of routes, newest first, without their routes."""
        return self._send("GET", "/api/v1/route-sets", {}, options, query=query)

    def iterate(self, query: types.ListRouteSetsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.RouteSet]:
        """List sets of routes, newest first, without their routes: all pages."""
        return self._iterate("GET", "/api/v1/route-sets", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.CreateRouteSetResult:
        """Retrieve a set of routes, and what its activation would change."""
        return self._send("GET", "/api/v1/route-sets/{id}", {"id": id}, options)

    def activate(self, id: str, body: types.ActivateRouteSetRequest | None = None, **options: Unpack[CallOptions]) -> types.CreateRouteSetResult:
        """Let payments take the routes of the set, all at once."""
        return self._send("POST", "/api/v1/route-sets/{id}/activate", {"id": id}, options, body=body or {})

    def back_test(self, id: str, body: types.BackTestRouteSetRequest | None = None, **options: Unpack[CallOptions]) -> types.RouteBackTest:
        """Plan the payments of the last days again, under the set."""
        return self._send("POST", "/api/v1/route-sets/{id}/back-test", {"id": id}, options, body=body or {})


class RoutingSettings(Resource):
    def get(self, payment_method: str, **options: Unpack[CallOptions]) -> types.RoutingSetting:
        """Retrieve how routes of equal priority are ordered, and the approval rates of their providers."""
        return self._send("GET", "/api/v1/routing-settings/{paymentMethod}", {"paymentMethod": payment_method}, options)

    def put(self, payment_method: str, body: types.PutRoutingSettingRequest, **options: Unpack[CallOptions]) -> types.RoutingSetting:
        """Set how routes of equal priority are ordered."""
        return self._send("PUT", "/api/v1/routing-settings/{paymentMethod}", {"paymentMethod": payment_method}, options, body=body)


class ChannelLimits(Resource):
    def list(self, query: types.ListChannelLimitsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.ChannelLimit]:
        """List the smallest and largest amounts by payment method and currency, newest first."""
        return self._send("GET", "/api/v1/channel-limits", {}, options, query=query)

    def iterate(self, query: types.ListChannelLimitsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ChannelLimit]:
        """List the smallest and largest amounts by payment method and currency, newest first: all pages."""
        return self._iterate("GET", "/api/v1/channel-limits", {}, options, query=query)

    def put(self, payment_method: str, currency: str, body: types.PutChannelLimitRequest, **options: Unpack[CallOptions]) -> types.ChannelLimit:
        """Set the smallest and largest amount of a payment method in a currency."""
        return self._send("PUT", "/api/v1/channel-limits/{paymentMethod}/{currency}", {"paymentMethod": payment_method, "currency": currency}, options, body=body)

    def delete(self, payment_method: str, currency: str, **options: Unpack[CallOptions]) -> types.DeletedChannelLimit:
        """Delete a limit, so that any amount is allowed."""
        return self._send("DELETE", "/api/v1/channel-limits/{paymentMethod}/{currency}", {"paymentMethod": payment_method, "currency": currency}, options)


class WebhookEndpoints(Resource):
    def create(self, body: types.CreateWebhookEndpointRequest, **options: Unpack[CallOptions]) -> types.WebhookEndpointWithSecret:
        """Create a webhook endpoint; its secret is returned only once."""
        return self._send("POST", "/api/v1/webhook-endpoints", {}, options, body=body)

    def list(self, query: types.ListWebhookEndpointsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.WebhookEndpoint]:
        """List the merchant account's webhook endpoints, newest first."""
        return self._send("GET", "/api/v1/webhook-endpoints", {}, options, query=query)

    def iterate(self, query: types.ListWebhookEndpointsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookEndpoint]:
        """List the merchant account's webhook endpoints, newest first: all pages."""
        return self._iterate("GET", "/api/v1/webhook-endpoints", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookEndpoint:
        """Retrieve a webhook endpoint, without its secret."""
        return self._send("GET", "/api/v1/webhook-endpoints/{id}", {"id": id}, options)

    def update(self, id: str, body: types.UpdateWebhookEndpointRequest | None = None, **options: Unpack[CallOptions]) -> types.WebhookEndpoint:
        """Change the address, event types or description of a webhook endpoint, or enable or disable it."""
        return self._send("PATCH", "/api/v1/webhook-endpoints/{id}", {"id": id}, options, body=body or {})

    def delete(self, id: str, **options: Unpack[CallOptions]) -> types.DeletedWebhookEndpoint:
        """Delete a webhook endpoint; its pending deliveries are canceled."""
        return self._send("DELETE", "/api/v1/webhook-endpoints/{id}", {"id": id}, options)

    def rotate_secret(self, id: str, body: types.RotateWebhookEndpointSecretRequest | None = None, **options: Unpack[CallOptions]) -> types.WebhookEndpointWithSecret:
        """Rotate the secret of a webhook endpoint; the previous secret stays valid for an overlap."""
        return self._send("POST", "/api/v1/webhook-endpoints/{id}/rotate-secret", {"id": id}, options, body=body or {})

    def test(self, id: str, **options: Unpack[CallOptions]) -> types.WebhookTest:
        """Send a `webhook_endpoint.test` event to a webhook endpoint."""
        return self._send("POST", "/api/v1/webhook-endpoints/{id}/test", {"id": id}, options)

    def deliveries(self, id: str, query: types.ListWebhookEndpointDeliveriesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.WebhookDelivery]:
        """List the deliveries to a webhook endpoint with a status, with every attempt, newest first."""
        return self._send("GET", "/api/v1/webhook-endpoints/{id}/deliveries", {"id": id}, options, query=query)

    def iterate_deliveries(self, id: str, query: types.ListWebhookEndpointDeliveriesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookDelivery]:
        """List the deliveries to a webhook endpoint with a status, with every attempt, newest first: all pages."""
        return self._iterate("GET", "/api/v1/webhook-endpoints/{id}/deliveries", {"id": id}, options, query=query)


class Events(Resource):
    def list(self, query: types.ListEventsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Event]:
        """List events, newest first."""
        return self._send("GET", "/api/v1/events", {}, options, query=query)

    def iterate(self, query: types.ListEventsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Event]:
        """List events, newest first: all pages."""
        return self._iterate("GET", "/api/v1/events", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Event:
        """Retrieve an event; old events are purged."""
        return self._send("GET", "/api/v1/events/{id}", {"id": id}, options)

    def deliveries(self, id: str, query: types.ListEventDeliveriesQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.WebhookDelivery]:
        """List an event's deliveries to webhook endpoints with every attempt, newest delivery first."""
        return self._send("GET", "/api/v1/events/{id}/deliveries", {"id": id}, options, query=query)

    def iterate_deliveries(self, id: str, query: types.ListEventDeliveriesQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.WebhookDelivery]:
        """List an event's deliveries to webhook endpoints with every attempt, newest delivery first: all pages."""
        return self._iterate("GET", "/api/v1/events/{id}/deliveries", {"id": id}, options, query=query)

    def redeliver(self, id: str, body: types.RedeliverEventRequest | None = None, **options: Unpack[CallOptions]) -> types.WebhookRedelivery:
        """Redeliver an event to webhook endpoints."""
        return self._send("POST", "/api/v1/events/{id}/redeliver", {"id": id}, options, body=body or {})

    def redeliver_missed(self, body: types.RedeliverMissedEventsRequest, **options: Unpack[CallOptions]) -> types.WebhookMissedRedelivery:
        """Redeliver to a webhook endpoint the events since a time that it has missed."""
        return self._send("POST", "/api/v1/events/redeliver-missed", {}, options, body=body)


class Requests(Resource):
    def list(self, query: types.ListRequestsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.Request]:
        """List the logged requests of the merchant account, newest first."""
        return self._send("GET", "/api/v1/requests", {}, options, query=query)

    def iterate(self, query: types.ListRequestsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.Request]:
        """List the logged requests of the merchant account, newest first: all pages."""
        return self._iterate("GET", "/api/v1/requests", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.Request:
        """Retrieve one logged request by the id that its response carried."""
        return self._send("GET", "/api/v1/requests/{id}", {"id": id}, options)


class ProviderHealth(Resource):
    def list(self, query: types.ListProviderHealthQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.ProviderHealth]:
        """List the health of the providers, by name."""
        return self._send("GET", "/api/v1/provider-health", {}, options, query=query)

    def iterate(self, query: types.ListProviderHealthQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ProviderHealth]:
        """List the health of the providers, by name: all pages."""
        return self._iterate("GET", "/api/v1/provider-health", {}, options, query=query)

    def get(self, provider: str, **options: Unpack[CallOptions]) -> types.ProviderHealth:
        """Retrieve the health of one provider."""
        return self._send("GET", "/api/v1/provider-health/{provider}", {"provider": provider}, options)


class Statistics(Resource):
    def get(self, query: types.GetStatisticsQuery | None = None, **options: Unpack[CallOptions]) -> types.Statistics:
        """Retrieve volume, approval rates, failures and refunds of a time."""
        return self._send("GET", "/api/v1/statistics", {}, options, query=query)

    def disputes(self, query: types.GetDisputeStatisticsQuery | None = None, **options: Unpack[CallOptions]) -> types.DisputeStatistics:
        """Retrieve disputes by month, and what card schemes allow."""
        return self._send("GET", "/api/v1/statistics/disputes", {}, options, query=query)


class TestClock(Resource):
    def get(self, **options: Unpack[CallOptions]) -> types.TestClock:
        """Retrieve the test clock of the sandbox account."""
        return self._send("GET", "/api/v1/test-clock", {}, options)

    def advance(self, body: types.AdvanceTestClockRequest, **options: Unpack[CallOptions]) -> types.TestClock:
        """Advance the test clock: the open payments of the sandbox account become older."""
        return self._send("POST", "/api/v1/test-clock/advance", {}, options, body=body)


class ReconciliationRuns(Resource):
    def list(self, query: types.ListReconciliationRunsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.ReconciliationRun]:
        """List the comparisons with providers' lists of payments, newest first."""
        return self._send("GET", "/api/v1/reconciliation-runs", {}, options, query=query)

    def iterate(self, query: types.ListReconciliationRunsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.ReconciliationRun]:
        """List the comparisons with providers' lists of payments, newest first: all pages."""
        return self._iterate("GET", "/api/v1/reconciliation-runs", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.ReconciliationReport:
        """Retrieve a comparison, with what differs."""
        return self._send("GET", "/api/v1/reconciliation-runs/{id}", {"id": id}, options)


class AuditEvents(Resource):
    def list(self, query: types.ListAuditEventsQuery | None = None, **options: Unpack[CallOptions]) -> Page[types.AuditEvent]:
        """List the changes of the merchant's settings, newest first."""
        return self._send("GET", "/api/v1/audit-events", {}, options, query=query)

    def iterate(self, query: types.ListAuditEventsQuery | None = None, **options: Unpack[CallOptions]) -> Iterator[types.AuditEvent]:
        """List the changes of the merchant's settings, newest first: all pages."""
        return self._iterate("GET", "/api/v1/audit-events", {}, options, query=query)

    def get(self, id: str, **options: Unpack[CallOptions]) -> types.AuditEvent:
        """Retrieve one change of the settings; old ones are purged."""
        return self._send("GET", "/api/v1/audit-events/{id}", {"id": id}, options)


class Resources:
    def __init__(self, transport: Transport) -> None:
        self.payment_intents = PaymentIntents(transport)
        self.payment_links = PaymentLinks(transport)
        self.transactions = Transactions(transport)
        self.refunds = Refunds(transport)
        self.disputes = Disputes(transport)
        self.settlements = Settlements(transport)
        self.settlement_entries = SettlementEntries(transport)
        self.customers = Customers(transport)
        self.payment_methods = PaymentMethods(transport)
        self.merchant_accounts = MerchantAccounts(transport)
        self.api_keys = ApiKeys(transport)
        self.provider_accounts = ProviderAccounts(transport)
        self.payment_routes = PaymentRoutes(transport)
        self.card_groups = CardGroups(transport)
        self.route_sets = RouteSets(transport)
        self.routing_settings = RoutingSettings(transport)
        self.channel_limits = ChannelLimits(transport)
        self.webhook_endpoints = WebhookEndpoints(transport)
        self.events = Events(transport)
        self.requests = Requests(transport)
        self.provider_health = ProviderHealth(transport)
        self.statistics = Statistics(transport)
        self.test_clock = TestClock(transport)
        self.reconciliation_runs = ReconciliationRuns(transport)
        self.audit_events = AuditEvents(transport)
