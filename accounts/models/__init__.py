"""Items about people, and about how they sign in. Shape and keys only.

Attribute names in the table follow the published model (`name`, `content`, `imageUrl`, `follower#` …).
"""

from accounts.models.bell import Bell as Bell
from accounts.models.bell import unseen_group as unseen_group
from accounts.models.claims import DomainEntry as DomainEntry
from accounts.models.claims import EmailClaim as EmailClaim
from accounts.models.claims import HandleClaim as HandleClaim
from accounts.models.origins import Origin as Origin
from accounts.models.origins import OriginTrace as OriginTrace
from accounts.models.passkeys import Passkey as Passkey
from accounts.models.passkeys import PasskeyClaim as PasskeyClaim
from accounts.models.passkeys import UsedChallenge as UsedChallenge
from accounts.models.people import CROSSING as CROSSING
from accounts.models.people import PULLED as PULLED
from accounts.models.people import UserCount as UserCount
from accounts.models.people import UserInfo as UserInfo
from accounts.models.people import UserSettings as UserSettings
from accounts.models.person_keys import PersonKey as PersonKey
from accounts.models.signing_in import Credentials as Credentials
from accounts.models.signing_in import SignIn as SignIn
from accounts.models.tokens import Token as Token
