# Generated from the OpenAPI document by `npm run sdk:generate`. Do not edit.
from typing import Literal, Union

from .models import FileCreatedEvent, FileDeletedEvent, FileProcessingCompletedEvent, FileProcessingFailedEvent, VariantReadyEvent, JobFailedEvent, ConnectionSyncedEvent, ConnectionSyncFailedEvent, WebhookDisabledEvent, WebhookTestEvent

EventType = Literal["file.created", "file.deleted", "file.processing.completed", "file.processing.failed", "variant.ready", "job.failed", "connection.synced", "connection.sync.failed", "webhook.disabled", "webhook.test"]

KilnEvent = Union[FileCreatedEvent, FileDeletedEvent, FileProcessingCompletedEvent, FileProcessingFailedEvent, VariantReadyEvent, JobFailedEvent, ConnectionSyncedEvent, ConnectionSyncFailedEvent, WebhookDisabledEvent, WebhookTestEvent]
"""An event of any type. Later versions of Kiln send more types: ignore what you do not know."""
