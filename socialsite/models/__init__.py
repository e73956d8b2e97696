"""Items that belong to no app: `machinery.py` (limits, leases, jobs, roles) and `site.py` (how the site is set up).

Django imports this module, so every item class must be reachable from it. `retired.py` names those of older sites.
"""

from socialsite.models.machinery import DataState as DataState
from socialsite.models.machinery import DeadLetter as DeadLetter
from socialsite.models.machinery import Due as Due
from socialsite.models.machinery import Job as Job
from socialsite.models.machinery import JobKind as JobKind
from socialsite.models.machinery import Lease as Lease
from socialsite.models.machinery import RateLimit as RateLimit
from socialsite.models.machinery import RecentChange as RecentChange
from socialsite.models.machinery import RetiredKey as RetiredKey
from socialsite.models.machinery import Role as Role
from socialsite.models.machinery import SeenRecord as SeenRecord
from socialsite.models.machinery import Staff as Staff
from socialsite.models.machinery import StreamHost as StreamHost
from socialsite.models.retired import RETIRED_ITEMS as RETIRED_ITEMS
from socialsite.models.retired import RETIRED_JOBS as RETIRED_JOBS
from socialsite.models.site import AddressBlock as AddressBlock
from socialsite.models.site import EmailDomainBlock as EmailDomainBlock
from socialsite.models.site import Invite as Invite
from socialsite.models.site import SiteRule as SiteRule
from socialsite.models.site import SiteSettings as SiteSettings
from socialsite.models.site import SiteText as SiteText
from socialsite.models.site import TextPreset as TextPreset
from socialsite.models.site import WordRule as WordRule
